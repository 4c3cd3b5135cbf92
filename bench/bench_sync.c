/* Sync events. Updates and reads are compared with bare atomic operations. A value that two cores,
 * or two processes, send to each other in turns is compared with a bare cache line that they send
 * in the same way. An update while no thread sleeps must make no system call; the program counts
 * them. */
#define _GNU_SOURCE
#define DOCA_CORE_IMPLEMENTATION
#include "bench.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

static struct doca_dev *dev;
static struct doca_sync_event *event;  /* of this process alone */
static struct doca_sync_event *shared; /* exported */

static volatile struct line {
    uint64_t value;
} __attribute__((aligned(BENCH_LINE))) bare;

static struct doca_sync_event *open_event(bool is_shared)
{
    struct doca_sync_event *e;

    bench_must(doca_sync_event_create(&e));
    bench_must(doca_sync_event_add_publisher_location_cpu(e, dev));
    if (is_shared)
        bench_must(doca_sync_event_add_subscriber_location_dpu(e));
    else
        bench_must(doca_sync_event_add_subscriber_location_cpu(e, dev));
    bench_must(doca_sync_event_start(e));
    return e;
}

/* ---- one core: the handle is in a register, as in a program that calls in a loop ---- */

BENCH_INLINE void set(bool is_library, unsigned long n)
{
    struct doca_sync_event *e = event;

    for (; bench_left(n); n--)
        bench_must(BENCH_CALL(is_library, sync_event_update_set, e, n));
}

BENCH_INLINE void get(bool is_library, unsigned long n)
{
    struct doca_sync_event *e = event;
    uint64_t value;

    for (; bench_left(n); n--)
        bench_must(BENCH_CALL(is_library, sync_event_get, e, &value));
}

BENCH_INLINE void add(bool is_library, unsigned long n)
{
    struct doca_sync_event *e = event;
    uint64_t before;

    for (; bench_left(n); n--) {
        bench_must(BENCH_CALL(is_library, sync_event_update_add, e, 1, &before));
        __asm__ volatile("" ::"r"(before)); /* keep the call */
    }
}

#define FORMS(work)                                                                                \
    static void work##_inlined(unsigned long n, const void *arg)                                   \
    {                                                                                              \
        (void)arg;                                                                                 \
        work(false, n);                                                                            \
    }                                                                                              \
    static void work##_library(unsigned long n, const void *arg)                                   \
    {                                                                                              \
        (void)arg;                                                                                 \
        work(true, n);                                                                             \
    }

FORMS(set)
FORMS(get)
FORMS(add)

static void bare_set(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--)
        __atomic_store_n(&bare.value, n, __ATOMIC_RELEASE);
}

static void bare_get(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--)
        (void)__atomic_load_n(&bare.value, __ATOMIC_ACQUIRE);
}

/* The least that a call with a handle does: compare one word of the object, load the address of the
 * value, and access the value. */
static volatile struct handle {
    uint32_t word;
    volatile uint64_t *value;
} handle = { 0xd0ca01daU, &bare.value };

BENCH_INLINE volatile uint64_t *checked_value(void)
{
    bench_check(handle.word == 0xd0ca01daU, "the handle changed");
    return handle.value;
}

static void checked_set(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--)
        __atomic_store_n(checked_value(), n, __ATOMIC_RELEASE);
}

static void checked_get(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--)
        (void)__atomic_load_n(checked_value(), __ATOMIC_ACQUIRE);
}

static void bare_add(unsigned long n, const void *arg)
{
    uint64_t before;

    (void)arg;
    for (; bench_left(n); n--) {
        before = __atomic_fetch_add(&bare.value, 1, __ATOMIC_SEQ_CST);
        __asm__ volatile("" ::"r"(before));
    }
}

/* Add, and do nothing else. As in the vendor's signature, the result is returned through memory. */
__attribute__((noinline)) static doca_error_t called_add(volatile uint64_t *value,
                                                         uint64_t n, uint64_t *fetched)
{
    *fetched = __atomic_fetch_add(value, n, __ATOMIC_SEQ_CST);
    return DOCA_SUCCESS;
}

static void bare_called_add(unsigned long n, const void *arg)
{
    doca_error_t (*volatile call)(volatile uint64_t *, uint64_t, uint64_t *) = called_add;
    uint64_t before;

    (void)arg;
    for (; bench_left(n); n--) {
        bench_must(call(&bare.value, 1, &before));
        __asm__ volatile("" ::"r"(before));
    }
}

static bool is_set(const struct bench_side *side)
{
    uint64_t value;

    bench_must(doca_sync_event_update_set(event, 77));
    side->run(3, side->arg);
    bench_must(doca_sync_event_get(event, &value));
    return value == 1; /* the last of 3, 2, 1 */
}

static bool is_added(const struct bench_side *side)
{
    uint64_t value;

    bench_must(doca_sync_event_update_set(event, 77));
    side->run(3, side->arg);
    bench_must(doca_sync_event_get(event, &value));
    return value == 80;
}

/* ---- to and fro: this side makes the value odd, the other side makes it even ---- */

struct course { /* memory that both sides read */
    volatile uint32_t is_over; /* written once, after the last turn */
} __attribute__((aligned(BENCH_LINE)));

/* Return the cache line of the event, which the bare loop uses as well. The time that a line takes
 * from one core to another depends on the address of the line, and can differ by half. With two
 * different lines, this difference would hide the cost of the calls. */
static volatile uint64_t *line_of(const struct doca_sync_event *e)
{
    return e->share.value;
}

static void serve_event(struct doca_sync_event *e, const struct course *c)
{
    uint64_t value;

    bench_must(doca_sync_event_get(e, &value));
    value -= value & 1;
    for (;; value += 2) {
        bench_must(doca_sync_event_wait_gt(e, value, UINT64_MAX));
        if (c->is_over)
            return;
        bench_must(doca_sync_event_update_set(e, value + 2));
    }
}

static void serve_line(volatile uint64_t *line, const struct course *c)
{
    uint64_t value = *line;

    value -= value & 1;
    for (;; value += 2) {
        while (__atomic_load_n(line, __ATOMIC_ACQUIRE) <= value)
            continue;
        if (c->is_over)
            return;
        __atomic_store_n(line, value + 2, __ATOMIC_RELEASE);
    }
}

static void go_by_event(struct doca_sync_event *e, unsigned long n)
{
    uint64_t value;

    for (bench_must(doca_sync_event_get(e, &value)); n > 0; n--, value += 2) {
        bench_must(doca_sync_event_update_set(e, value + 1));
        bench_must(doca_sync_event_wait_gt(e, value + 1, UINT64_MAX));
    }
}

static void go_by_line(volatile uint64_t *line, unsigned long n)
{
    uint64_t value;

    for (value = *line; n > 0; n--, value += 2) {
        __atomic_store_n(line, value + 1, __ATOMIC_RELEASE);
        while (__atomic_load_n(line, __ATOMIC_ACQUIRE) <= value + 1)
            continue;
    }
}

/* Tell the other side to end, and leave the value even for the next turn. */
static void end_by_event(struct doca_sync_event *e, struct course *c)
{
    uint64_t before;

    c->is_over = 1;
    bench_must(doca_sync_event_update_add(e, 1, &before));
}

static void end_by_line(volatile uint64_t *line, struct course *c)
{
    c->is_over = 1;
    __atomic_fetch_add(line, 1, __ATOMIC_SEQ_CST);
}

/* ---- the other side is a thread ---- */

static struct course course;
static pthread_t partner;

static void *partner_by_event(void *unused)
{
    (void)unused;
    serve_event(event, &course);
    return NULL;
}

static void *partner_by_line(void *unused)
{
    (void)unused;
    serve_line(line_of(event), &course);
    return NULL;
}

static void thread_event_begin(const void *arg)
{
    (void)arg;
    course.is_over = 0;
    bench_must(doca_sync_event_update_set(event, 0));
    partner = bench_partner_start(partner_by_event, NULL);
}

static void thread_event(unsigned long n, const void *arg)
{
    (void)arg;
    go_by_event(event, n);
}

static void thread_event_end(const void *arg)
{
    (void)arg;
    end_by_event(event, &course);
    pthread_join(partner, NULL);
}

static void thread_line_begin(const void *arg)
{
    (void)arg;
    course.is_over = 0;
    *line_of(event) = 0;
    partner = bench_partner_start(partner_by_line, NULL);
}

static void thread_line(unsigned long n, const void *arg)
{
    (void)arg;
    go_by_line(line_of(event), n);
}

static void thread_line_end(const void *arg)
{
    (void)arg;
    end_by_line(line_of(event), &course);
    pthread_join(partner, NULL);
}

/* ---- the other side is a process that sleeps between the turns ---- */

static struct course *common; /* memory that both processes share */
static int to_child = -1, from_child = -1;
static pid_t child;

static void tell(int fd, char word)
{
    bench_check(write(fd, &word, 1) == 1, "the other process has gone");
}

static char hear(int fd)
{
    char word = 0;

    return read(fd, &word, 1) == 1 ? word : 0; /* 0: the other process has ended */
}

/* The child reads the descriptor of the event. Before each turn it reads one letter, which selects
 * the event or the bare cache line. */
static void run_child(int from_parent, int to_parent)
{
    struct doca_sync_event *imported;
    uint8_t data[512];
    ssize_t bytes = read(from_parent, data, sizeof(data));
    char word;

    sys_prctl(PR_SET_PDEATHSIG, SIGKILL, 0); /* this process may wait for the parent in a loop */
    if (bytes <= 0)
        _exit(0);
    bench_pin(bench.cpu2);
    bench_must(doca_sync_event_create_from_export(dev, data, (size_t)bytes, &imported));
    bench_must(doca_sync_event_start(imported));
    for (tell(to_parent, 'r'); (word = hear(from_parent)) != 0; tell(to_parent, 'd')) {
        tell(to_parent, 'g'); /* ready: the next answers come without a sleep */
        if (word == 'e')
            serve_event(imported, common);
        else
            serve_line(line_of(imported), common);
    }
    bench_must(doca_sync_event_destroy(imported));
    _exit(0);
}

static void open_child(void)
{
    int down[2], up[2];

    common = mmap(NULL, sizeof(*common), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                  0);
    bench_check(common != MAP_FAILED && pipe(down) == 0 && pipe(up) == 0, "no pipes");
    fflush(stdout);
    child = fork();
    bench_check(child >= 0, "no second process");
    close(down[child == 0 ? 1 : 0]);
    close(up[child == 0 ? 0 : 1]);
    if (child == 0)
        run_child(down[0], up[1]);
    to_child = down[1];
    from_child = up[0];
}

static void send_descriptor(void)
{
    const uint8_t *data;
    size_t bytes;

    bench_must(doca_sync_event_export_to_dpu(shared, dev, &data, &bytes));
    bench_check(write(to_child, data, bytes) == (ssize_t)bytes && hear(from_child) == 'r',
                "the other process does not import the event");
}

static void close_child(void)
{
    int status;

    close(to_child);
    bench_check(waitpid(child, &status, 0) == child && status == 0, "the other process failed");
    close(from_child);
    munmap(common, sizeof(*common));
}

static void process_begin(char word)
{
    common->is_over = 0;
    tell(to_child, word);
    bench_check(hear(from_child) == 'g', "the other process has gone");
}

static void process_event_begin(const void *arg)
{
    (void)arg;
    bench_must(doca_sync_event_update_set(shared, 0));
    process_begin('e');
}

static void process_event(unsigned long n, const void *arg)
{
    (void)arg;
    go_by_event(shared, n);
}

static void process_event_end(const void *arg)
{
    (void)arg;
    end_by_event(shared, common);
    bench_check(hear(from_child) == 'd', "the other process has gone");
}

static void process_line_begin(const void *arg)
{
    (void)arg;
    *line_of(shared) = 0;
    process_begin('l');
}

static void process_line(unsigned long n, const void *arg)
{
    (void)arg;
    go_by_line(line_of(shared), n);
}

static void process_line_end(const void *arg)
{
    (void)arg;
    end_by_line(line_of(shared), common);
    bench_check(hear(from_child) == 'd', "the other process has gone");
}

/* ---- works ---- */

static const struct bench_work works[] = {
    { .area = "sync_event",
      .work = "set",
      .title = "update_set",
      .batch = 1,
      .sides = { { .side = "ours", .name = "inlined", .run = set_inlined, .verify = is_set },
                 { .side = "ours", .name = "library", .run = set_library, .verify = is_set },
                 { .side = "limit", .name = "release store", .run = bare_set },
                 { .side = "limit", .name = "release store behind a check", .run = checked_set } },
      .targets = { { "14", "inlined", "release store", "ratio", 1.1, 1.0 },
                   { "14", "library", "inlined", "add_ns", 1.5, NAN } } },
    { .area = "sync_event",
      .work = "get",
      .title = "get",
      .batch = 1,
      .sides = { { .side = "ours", .name = "inlined", .run = get_inlined },
                 { .side = "ours", .name = "library", .run = get_library },
                 { .side = "limit", .name = "acquire load", .run = bare_get },
                 { .side = "limit", .name = "acquire load behind a check", .run = checked_get } },
      .targets = { { "14", "inlined", "acquire load", "ratio", 1.1, 1.0 },
                   { "14", "library", "inlined", "add_ns", 1.5, NAN } } },
    { .area = "sync_event",
      .work = "add",
      .title = "update_add",
      .batch = 1,
      .sides = { { .side = "ours", .name = "inlined", .run = add_inlined, .verify = is_added },
                 { .side = "ours", .name = "library", .run = add_library, .verify = is_added },
                 { .side = "limit", .name = "fetch_add", .run = bare_add },
                 { .side = "limit", .name = "fetch_add in a function", .run = bare_called_add } },
      .targets = { { "14", "inlined", "fetch_add", "ratio", 1.1, 1.0 },
                   { "14", "library", "inlined", "add_ns", 1.5, NAN } } },
    { .area = "sync_event",
      .work = "threads",
      .title = "update_set until wait_gt on the other core, one way",
      .batch = 1,
      .sides = { { .side = "ours", .name = "inlined", .run = thread_event, .per = 2,
                   .begin = thread_event_begin, .end = thread_event_end, .ready = bench_two_cpus },
                 { .side = "limit", .name = "one bare line", .run = thread_line, .per = 2,
                   .begin = thread_line_begin, .end = thread_line_end,
                   .ready = bench_two_cpus } },
      .targets = { { "15", "inlined", "one bare line", "ratio", 1.1, 1.03 } } },
    { .area = "sync_event",
      .work = "processes",
      .title = "update_set until wait_gt in the other process, one way",
      .batch = 1,
      .sides = { { .side = "ours", .name = "inlined", .run = process_event, .per = 2,
                   .begin = process_event_begin, .end = process_event_end,
                   .ready = bench_two_cpus },
                 { .side = "limit", .name = "one bare line", .run = process_line, .per = 2,
                   .begin = process_line_begin, .end = process_line_end,
                   .ready = bench_two_cpus } },
      .targets = { { "15", "inlined", "one bare line", "ratio", 1.1, 1.03 } } },
};

/* ---- system calls: ptrace counts them between two calls of getppid() ---- */

#define UPDATES 1000u

static void be_counted(struct doca_sync_event *e)
{
    uint64_t before;
    unsigned i;

    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0 || raise(SIGSTOP) != 0)
        _exit(1);
    sys_call(SYS_getppid, 0, 0, 0, 0, 0, 0);
    for (i = 0; i < UPDATES / 2; i++)
        if (doca_sync_event_update_set(e, i) != DOCA_SUCCESS ||
            doca_sync_event_update_add(e, 1, &before) != DOCA_SUCCESS)
            _exit(1);
    sys_call(SYS_getppid, 0, 0, 0, 0, 0, 0);
    _exit(0);
}

/* Return the number of system calls that a child makes in UPDATES updates, or a number below 0 when
 * the child cannot be traced. */
static int count_calls(struct doca_sync_event *e)
{
    struct __ptrace_syscall_info call;
    int status, frames = 0, calls = 0;
    pid_t pid;

    fflush(stdout);
    pid = fork();
    if (pid == 0)
        be_counted(e);
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
        return -1;
    ptrace(PTRACE_SETOPTIONS, pid, NULL, (long)PTRACE_O_TRACESYSGOOD | (long)PTRACE_O_EXITKILL);
    while (ptrace(PTRACE_SYSCALL, pid, NULL, NULL) == 0 && waitpid(pid, &status, 0) == pid &&
           WIFSTOPPED(status)) {
        if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(call), &call) <= 0)
            continue;
        if (call.op != PTRACE_SYSCALL_INFO_ENTRY)
            continue;
        if (call.entry.nr == SYS_getppid)
            frames++;
        else if (frames == 1)
            calls++;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 && frames == 2 ? calls : -1;
}

static void run_counts(const char *work, const char *title, struct doca_sync_event *e)
{
    const struct bench_work w = {
        .area = "sync_event",
        .work = work,
        .title = title,
        .sides = { { .side = "ours", .name = "inlined" } },
        .targets = { { "16", "inlined", NULL, "none", 0, NAN } }
    };
    double counts[2];
    int count, i;

    if (!bench_wants(work))
        return;
    for (i = 0; i < 2; i++) {
        count = count_calls(e);
        if (count < 0) {
            bench_lack(&w, "no child can be traced here (ptrace)");
            return;
        }
        counts[i] = count;
    }
    bench_print_counts(&w, "system calls", UPDATES, counts, 2);
}

int main(int argc, char **argv)
{
    size_t i;

    bench_begin("bench_sync", argc, argv);
    dev = bench_open_dev();
    if (bench.cpu2 >= 0)
        open_child(); /* before events are created: a child of fork() must not use its parent's */
    event = open_event(false);
    shared = open_event(true);
    if (bench.cpu2 >= 0)
        send_descriptor();
    for (i = 0; i < sizeof(works) / sizeof(works[0]); i++)
        bench_run(&works[i]);
    run_counts("calls", "system calls of an update while nobody sleeps", event);
    run_counts("calls_shared", "the same, of an exported event", shared);
    if (bench.cpu2 >= 0)
        close_child();
    bench_must(doca_sync_event_destroy(event));
    bench_must(doca_sync_event_destroy(shared));
    bench_must(doca_dev_close(dev));
    return bench_end();
}

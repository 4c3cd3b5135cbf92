/* Calls that the library documents as safe for any thread, made by several threads at once. This
 * file contains the implementation, so that a build with ThreadSanitizer or for another machine
 * includes all of it; in other builds the program checks results only. Each case runs for a fixed
 * time:
 *
 *     threads [-t MILLISECONDS] [CASE...]
 *
 * The rules are in "THREADS" at the top of doca_core.h, and in the lines "Threads any" of the
 * comments of functions. In some cases one thread hands ordinary memory over to another one with a
 * sync event or a task, and both threads access the memory: ThreadSanitizer reports nothing only if
 * the library orders these accesses. */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 3, PATIENCE_MS = 20000, BYTES = 4096, TASKS = 8, LEN = BYTES / TASKS };

static unsigned case_ms = 300;
static const char *case_name = "";

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail(__LINE__, #condition);                                                            \
    } while (0)
#define CHECK_OK(call) CHECK((call) == DOCA_SUCCESS)

__attribute__((noreturn)) static void fail(int line, const char *what)
{
    fprintf(stderr, "%s: line %d is false: %s\n  last error of the thread: %s\n", case_name, line,
            what, doca_core_last_error());
    _exit(1); /* other threads are still running */
}

static long now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static long case_end;

static bool time_is_left(void)
{
    return now_ms() < case_end;
}

/* Run each function in a new thread, with the thread's number as its argument. */
static void run_together(void *(*const functions[])(void *), size_t num)
{
    pthread_t threads[8];
    size_t i;

    case_end = now_ms() + (long)case_ms;
    for (i = 0; i < num; i++)
        CHECK(pthread_create(&threads[i], NULL, functions[i], (void *)i) == 0);
    for (i = 0; i < num; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
}

static void run_in_all_threads(void *(*function)(void *))
{
    void *(*const functions[THREADS])(void *) = { function, function, function };

    run_together(functions, THREADS);
}

static struct doca_dev *open_dev(const char *iface)
{
    char name[DOCA_DEVINFO_IFACE_NAME_SIZE];
    struct doca_devinfo **list;
    struct doca_dev *dev = NULL;
    uint32_t n, i;

    CHECK_OK(doca_devinfo_create_list(&list, &n));
    for (i = 0; i < n && dev == NULL; i++) {
        CHECK_OK(doca_devinfo_get_iface_name(list[i], name, sizeof(name)));
        if (strcmp(name, iface) == 0)
            CHECK_OK(doca_dev_open(list[i], &dev));
    }
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK(dev != NULL);
    return dev;
}

/* ---- devices, representors, settings of the software device ---- */

static void *open_and_close(void *number)
{
    struct doca_dev *dev, *again;
    struct doca_mmap *mmap;

    while (time_is_left()) {
        dev = open_dev("p0");
        again = open_dev((size_t)number == 0 ? "p1" : "p0");
        CHECK((dev == again) == ((size_t)number != 0));
        CHECK_OK(doca_core_mmap_create_in(doca_core_arena_bound(), &mmap));
        /* the mmap belongs to this thread, the device to all threads */
        CHECK_OK(doca_mmap_add_dev(mmap, dev));
        CHECK_OK(doca_mmap_destroy(mmap));
        CHECK_OK(doca_dev_close(again));
        CHECK_OK(doca_dev_close(dev));
    }
    return NULL;
}

static void threads_open_the_same_devices(void)
{
    run_in_all_threads(open_and_close);
}

static void *open_from_a_pd(void *unused)
{
    /* the software device does not use the PD */
    struct ibv_pd *pd = (struct ibv_pd *)(void *)&case_end;
    struct doca_dev *dev, *again;

    while (time_is_left()) {
        CHECK_OK(doca_rdma_bridge_open_dev_from_pd(pd, &dev));
        CHECK_OK(doca_rdma_bridge_open_dev_from_pd(pd, &again));
        CHECK(dev == again);
        CHECK_OK(doca_dev_close(again));
        CHECK_OK(doca_dev_close(dev));
    }
    return unused;
}

static void threads_open_devices_from_one_pd(void)
{
    run_in_all_threads(open_from_a_pd);
}

static struct doca_dev *rep_owner;

static void *open_representors(void *number)
{
    struct doca_devinfo_rep **list;
    struct doca_dev_rep *rep, *again;
    uint32_t n, at;

    while (time_is_left()) {
        CHECK_OK(doca_devinfo_rep_create_list(rep_owner, 0, &list, &n));
        CHECK(n > 0);
        at = (uint32_t)(size_t)number % 2 % n;
        CHECK_OK(doca_dev_rep_open(list[at], &rep));
        CHECK_OK(doca_dev_rep_open(list[at], &again));
        CHECK(rep == again);
        CHECK_OK(doca_devinfo_rep_destroy_list(list));
        CHECK(doca_dev_rep_as_devinfo(rep) != NULL);
        CHECK_OK(doca_dev_rep_close(again));
        CHECK_OK(doca_dev_rep_close(rep));
    }
    return NULL;
}

static void threads_open_the_same_representors(void)
{
    rep_owner = open_dev("p0");
    run_in_all_threads(open_representors);
    CHECK_OK(doca_dev_close(rep_owner));
}

static void *change_settings(void *unused)
{
    static const char *const texts[] = { NULL, "03:00.0 side=dpu if=p0; 0b:00.0 side=host if=pf0" };
    unsigned i;

    for (i = 0; time_is_left(); i++) {
        CHECK_OK(doca_core_sw_set_profile(i % 2 == 0 ? "bluefield2" : "unlimited"));
        CHECK_OK(i % 4 != 3 ? doca_core_sw_set_topology(texts[i / 2 % 2])
                            : doca_core_sw_set_devices(NULL, 0));
        CHECK_OK(doca_core_sw_set_side(i % 3 == 0 ? DOCA_CORE_SIDE_DPU : DOCA_CORE_SIDE_BOTH));
    }
    CHECK_OK(doca_core_sw_set_profile("default"));
    CHECK_OK(doca_core_sw_set_side(DOCA_CORE_SIDE_BOTH));
    CHECK_OK(doca_core_sw_set_topology(NULL));
    return unused;
}

static void *register_a_backend(void *unused)
{
    struct doca_core_backend other = *doca_core_sw_backend();
    doca_error_t rc;

    other.name = "other";
    while (time_is_left()) {
        CHECK_OK(doca_core_backend_register(&other));
        do
            rc = doca_core_backend_unregister("other"); /* another thread may use a device */
        while (rc == DOCA_ERROR_IN_USE);
        CHECK_OK(rc);
    }
    return unused;
}

static void *list_devices(void *unused)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t n;

    while (time_is_left()) {
        CHECK_OK(doca_devinfo_create_list(&list, &n));
        CHECK(n > 0);
        CHECK_OK(doca_dev_open(list[0], &dev));
        CHECK_OK(doca_devinfo_destroy_list(list));
        CHECK_OK(doca_dev_close(dev));
    }
    return unused;
}

static void devices_are_listed_while_settings_change(void)
{
    static void *(*const functions[])(void *) = { change_settings, register_a_backend,
                                                  list_devices, list_devices };

    run_together(functions, 4);
}

/* ---- arenas ---- */

static DOCA_CORE_ALIGNED unsigned char arena_mem[1 << 16];
static struct doca_core_arena shared_arena;

static void *take_and_give(void *number)
{
    unsigned char *blocks[8] = { NULL }, mark = (unsigned char)(1 + (size_t)number);
    size_t sizes[8] = { 0 }, used, peak, free_bytes, i, k;
    uint32_t x = 12345u + (uint32_t)(size_t)number;
    void *block;

    while (time_is_left()) {
        x = x * 1664525u + 1013904223u;
        i = x >> 29;
        for (k = 0; k < sizes[i]; k++)
            CHECK(blocks[i][k] == mark);
        CHECK_OK(doca_core_arena_give(&shared_arena, blocks[i]));
        blocks[i] = NULL;
        sizes[i] = 1 + (x >> 8) % 3000;
        if (doca_core_arena_take(&shared_arena, sizes[i], &block) == DOCA_SUCCESS)
            blocks[i] = block;
        else
            sizes[i] = 0;
        memset(blocks[i] != NULL ? blocks[i] : &mark, mark, blocks[i] != NULL ? sizes[i] : 1);
        if (x >> 27 == 0)
            CHECK_OK(doca_core_arena_audit(&shared_arena));
        CHECK_OK(doca_core_arena_query(&shared_arena, &used, &peak, &free_bytes));
        CHECK(used <= peak && peak <= sizeof(arena_mem));
    }
    for (i = 0; i < 8; i++)
        CHECK_OK(doca_core_arena_give(&shared_arena, blocks[i]));
    return NULL;
}

static void threads_allocate_from_one_arena(void)
{
    size_t used;

    CHECK_OK(doca_core_arena_init(&shared_arena, arena_mem, sizeof(arena_mem)));
    run_in_all_threads(take_and_give);
    CHECK_OK(doca_core_arena_query(&shared_arena, &used, NULL, NULL));
    CHECK(used == 0);
    CHECK_OK(doca_core_arena_audit(&shared_arena));
}

static void *bind_arenas(void *unused)
{
    while (time_is_left()) {
        CHECK_OK(doca_core_arena_bind(&shared_arena));
        CHECK_OK(doca_core_arena_bind(NULL));
    }
    return unused;
}

static void *create_objects(void *unused)
{
    struct doca_buf_inventory *inventory;
    struct doca_mmap *mmap;
    struct doca_pe *pe;

    while (time_is_left()) {
        CHECK_OK(doca_mmap_create(&mmap));
        CHECK_OK(doca_pe_create(&pe));
        CHECK_OK(doca_buf_inventory_create(3, &inventory));
        CHECK_OK(doca_pe_destroy(pe));
        CHECK_OK(doca_mmap_destroy(mmap));
        CHECK_OK(doca_buf_inventory_destroy(inventory));
    }
    return unused;
}

static void arenas_are_bound_while_objects_are_created(void)
{
    static void *(*const functions[])(void *) = { bind_arenas, create_objects, create_objects };

    CHECK_OK(doca_core_arena_init(&shared_arena, arena_mem, sizeof(arena_mem)));
    run_together(functions, 3);
}

/* ---- log ---- */

static void count_line(uint32_t level, enum doca_core_item item, const char *line, void *user)
{
    (void)level;
    CHECK(item == DOCA_CORE_ITEM_NULL_ARGUMENT || item == DOCA_CORE_ITEM_ZERO);
    CHECK(strstr(line, "doca_") != NULL);
    __atomic_fetch_add((unsigned *)user, 1, __ATOMIC_RELAXED);
}

static unsigned log_lines[2];

static void *fail_often(void *number)
{
    struct doca_buf_inventory *inventory;
    bool first = (size_t)number == 1;

    while (time_is_left()) {
        CHECK(doca_buf_inventory_create(0, first ? &inventory : NULL) == DOCA_ERROR_INVALID_VALUE);
        CHECK(doca_core_last_item() ==
              (first ? DOCA_CORE_ITEM_ZERO : DOCA_CORE_ITEM_NULL_ARGUMENT)); /* of this thread */
        CHECK(strstr(doca_core_last_error(), first ? "at least 1" : "NULL") != NULL);
    }
    return NULL;
}

static void *set_sinks(void *unused)
{
    unsigned i;

    for (i = 0; time_is_left(); i++) {
        doca_core_log_set_sink(count_line, &log_lines[i % 2]);
        CHECK_OK(doca_core_log_set_level(i % 8 == 0 ? DOCA_CORE_LOG_DISABLE : DOCA_CORE_LOG_DEBUG));
    }
    CHECK_OK(doca_core_log_set_level(DOCA_CORE_LOG_WARNING));
    return unused;
}

static void sinks_change_while_lines_are_written(void)
{
    static void *(*const functions[])(void *) = { set_sinks, fail_often, fail_often };

    doca_core_log_set_sink(count_line, &log_lines[0]);
    run_together(functions, 3);
    doca_core_log_set_sink(NULL, NULL);
    CHECK(__atomic_load_n(&log_lines[0], __ATOMIC_RELAXED) +
              __atomic_load_n(&log_lines[1], __ATOMIC_RELAXED) >
          0);
}

/* ---- mmaps that threads share ---- */

static unsigned char memory[2][BYTES];
static struct doca_mmap *shared_mmap;

static void *make_bufs(void *number)
{
    struct doca_buf_inventory *inventory;
    struct doca_buf *bufs[3];
    unsigned i;

    CHECK_OK(doca_buf_inventory_create(3, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    while (time_is_left()) {
        for (i = 0; i < 3; i++)
            CHECK_OK(doca_buf_inventory_buf_get_by_data(
                inventory, shared_mmap, memory[0] + 64 * (size_t)number, 64, &bufs[i]));
        CHECK_OK(doca_buf_chain_list(bufs[0], bufs[1]));
        CHECK_OK(doca_buf_dec_refcount(bufs[0], NULL));
        CHECK_OK(doca_buf_dec_refcount(bufs[2], NULL));
    }
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    return NULL;
}

static void threads_create_bufs_of_one_mmap(void)
{
    struct doca_dev *dev = open_dev("p0");

    CHECK_OK(doca_mmap_create(&shared_mmap));
    CHECK_OK(doca_mmap_set_memrange(shared_mmap, memory[0], BYTES));
    CHECK_OK(doca_mmap_add_dev(shared_mmap, dev));
    CHECK_OK(doca_mmap_enable_thread_safety(shared_mmap));
    CHECK_OK(doca_mmap_start(shared_mmap));
    run_in_all_threads(make_bufs);
    CHECK_OK(doca_mmap_destroy(shared_mmap));
    CHECK_OK(doca_dev_close(dev));
}

#if DOCA_CORE_SHARED_MMAPS
/* Threads create and release bufs of an mmap for which doca_mmap_enable_thread_safety() was not
 * called: with the compiled library, threads may share every mmap. */
static void threads_create_bufs_of_an_ordinary_mmap(void)
{
    struct doca_dev *dev = open_dev("p0");
    unsigned lines = log_lines[0];
    uint32_t num = 9;

    doca_core_log_set_sink(count_line, &log_lines[0]);
    CHECK_OK(doca_mmap_create(&shared_mmap));
    CHECK_OK(doca_mmap_set_memrange(shared_mmap, memory[0], BYTES));
    CHECK_OK(doca_mmap_add_dev(shared_mmap, dev));
    CHECK_OK(doca_mmap_start(shared_mmap));
    run_in_all_threads(make_bufs);
    CHECK_OK(doca_mmap_get_num_bufs(shared_mmap, &num));
    CHECK(num == 0);
    CHECK_OK(doca_mmap_stop(shared_mmap));
    CHECK_OK(doca_mmap_destroy(shared_mmap));
    CHECK_OK(doca_dev_close(dev));
    doca_core_log_set_sink(NULL, NULL);
    CHECK(log_lines[0] == lines); /* no line about a wrong count was logged */
}
#endif

/* ---- sync events ---- */

static struct doca_sync_event *turn; /* an even value: the turn of thread 0; odd: of thread 1 */
static uint64_t plain; /* not atomic; only the thread whose turn it is accesses it */

/* the same event through a remote publisher, or NULL */
static struct doca_sync_event_remote_net *remote;

static struct doca_sync_event *make_event(struct doca_dev *dev, bool far)
{
    struct doca_sync_event *event;

    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
    if (far)
        CHECK_OK(doca_sync_event_add_subscriber_location_dpu(event));
    else
        CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
    CHECK_OK(doca_sync_event_start(event));
    return event;
}

#define LAST_TURN ((uint64_t)1 << 40)

static void *take_turns(void *number)
{
    uint64_t mine, value;
    bool sets = (size_t)number == 0;

    for (mine = (size_t)number;; mine += 2) {
        if (mine % 3 == 0)
            CHECK_OK(doca_sync_event_wait_eq_yield(turn, mine, UINT64_MAX ^ LAST_TURN));
        else if (mine > 0)
            CHECK_OK(doca_sync_event_wait_gt_yield(turn, mine - 1, UINT64_MAX ^ LAST_TURN));
        CHECK(plain++ == mine);
        CHECK_OK(doca_sync_event_get(turn, &value));
        if (value >= LAST_TURN)
            break;
        if (!time_is_left())
            mine |= LAST_TURN; /* tells the other thread to end */
        if (sets) {
            CHECK_OK(doca_sync_event_update_set(turn, mine + 1));
        } else {
            CHECK_OK(doca_sync_event_update_add(turn, mine + 1 - value, &value));
        }
        if (mine >= LAST_TURN)
            break;
    }
    return NULL;
}

static void update_orders_earlier_writes(void)
{
    static void *(*const functions[])(void *) = { take_turns, take_turns };
    struct doca_dev *dev = open_dev("p0");
    unsigned far;

    for (far = 0; far < 2; far++) {
        turn = make_event(dev, far == 1);
        plain = 0;
        run_together(functions, 2);
        CHECK(plain > 1);
        CHECK_OK(doca_sync_event_destroy(turn));
    }
    CHECK_OK(doca_dev_close(dev));
}

static void *add_many(void *number)
{
    uint64_t latest = 0, was, num = 0;

    for (; time_is_left(); num++) {
        CHECK_OK(remote != NULL && (size_t)number == 0
                     ? doca_core_sync_event_remote_net_update_add(remote, 1, &was)
                     : doca_sync_event_update_add(turn, 1, &was));
        CHECK(num == 0 || was > latest);
        latest = was;
    }
    ((uint64_t *)(void *)memory[0])[(size_t)number] = num;
    return NULL;
}

static void open_remote(struct doca_dev *dev)
{
    const uint8_t *data;
    size_t sz;

    CHECK_OK(doca_sync_event_create(&turn));
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(turn, dev));
    CHECK_OK(doca_sync_event_add_publisher_location_remote_net(turn));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(turn, dev));
    CHECK_OK(doca_sync_event_start(turn));
    CHECK_OK(doca_sync_event_export_to_remote_net(turn, &data, &sz));
    CHECK_OK(doca_sync_event_remote_net_create_from_export(dev, data, sz, &remote));
}

static void close_remote(void)
{
    CHECK_OK(doca_sync_event_remote_net_destroy(remote));
    remote = NULL;
    CHECK_OK(doca_sync_event_destroy(turn));
}

static void no_addition_is_lost(void)
{
    struct doca_dev *dev = open_dev("p0");
    uint64_t sum = 0, value;
    unsigned i;

    open_remote(dev);
    run_in_all_threads(add_many);
    for (i = 0; i < THREADS; i++)
        sum += ((uint64_t *)(void *)memory[0])[i];
    CHECK_OK(doca_sync_event_get(turn, &value));
    CHECK(value == sum && sum > 0);
    close_remote();
    CHECK_OK(doca_dev_close(dev));
}

/* Wait until turn `mine` begins, with one of the calls that wait for a value. */
static doca_error_t wait_for_turn(uint64_t mine)
{
    const uint64_t mask = UINT64_MAX ^ LAST_TURN;

    switch (mine / 2 % 6) {
    case 0: return doca_sync_event_wait_gt(turn, mine - 1, mask);
    case 1: return doca_sync_event_wait_eq(turn, mine, mask);
    case 2: return doca_sync_event_wait_eq_yield(turn, mine, mask);
    case 3: return doca_sync_event_wait_neq(turn, mine - 1, mask);
    case 4: return doca_sync_event_wait_neq_yield(turn, mine - 1, mask);
    default: return doca_sync_event_wait_gt_yield(turn, mine - 1, mask);
    }
}

/* Whether both threads use the event through its remote publisher, which has another mapping of the
 * page. Both threads must use the same mapping: ThreadSanitizer does not know that two mappings are
 * the same memory. */
static bool is_remote;

static void *take_turns_in_all_ways(void *number)
{
    uint64_t mine, value;

    for (mine = (size_t)number;; mine += 2) {
        if (mine > 0)
            CHECK_OK(is_remote ? doca_core_sync_event_remote_net_wait_gt(remote, mine - 1,
                                                                         UINT64_MAX ^ LAST_TURN)
                               : wait_for_turn(mine));
        CHECK(plain++ == mine);
        CHECK_OK(is_remote ? doca_core_sync_event_remote_net_get(remote, &value)
                           : doca_sync_event_get(turn, &value));
        if (value >= LAST_TURN)
            break;
        if (!time_is_left())
            mine |= LAST_TURN; /* tells the other thread to end */
        CHECK_OK(is_remote ? doca_core_sync_event_remote_net_update_set(remote, mine + 1)
                           : doca_sync_event_update_set(turn, mine + 1));
        if (mine >= LAST_TURN)
            break;
    }
    return NULL;
}

static void every_way_to_wait_orders_earlier_writes(void)
{
    static void *(*const functions[])(void *) = { take_turns_in_all_ways,
                                                  take_turns_in_all_ways };
    struct doca_dev *dev = open_dev("p0");
    unsigned i;

    for (i = 0; i < 2; i++) {
        open_remote(dev);
        is_remote = i == 1;
        plain = 0;
        run_together(functions, 2);
        CHECK(plain > 1);
        close_remote();
    }
    CHECK_OK(doca_dev_close(dev));
}

/* A thread that sleeps on the notification handle of a PE. One of the two threads waits for an
 * import of the event, the other one for the event itself. */
struct sleeper {
    struct doca_pe *pe;
    struct doca_sync_event *event;
    struct doca_ctx *ctx;
    struct doca_sync_event_task_wait_gt *task;
    doca_event_handle_t handle;
    unsigned num_done;
};

static struct sleeper sleepers[2];
static struct doca_sync_event *pings[2];

static void waited(struct doca_sync_event_task_wait_gt *task, union doca_data task_data,
                   union doca_data ctx_data)
{
    (void)task_data;
    CHECK_OK(doca_task_get_status(doca_sync_event_task_wait_gt_as_doca_task(task)));
    ((struct sleeper *)ctx_data.ptr)->num_done++;
}

static void open_sleeper(struct sleeper *s, struct doca_dev *dev, struct doca_sync_event *event)
{
    union doca_data self;
    const uint8_t *data;
    size_t sz;

    memset(s, 0, sizeof(*s));
    self.ptr = s;
    CHECK_OK(doca_sync_event_export_to_remote_pci(event, dev, &data, &sz));
    CHECK_OK(doca_sync_event_create_from_export(dev, data, sz, &s->event));
    s->ctx = doca_sync_event_as_ctx(s->event);
    CHECK_OK(doca_pe_create(&s->pe));
    CHECK_OK(doca_sync_event_task_wait_gt_set_conf(s->event, waited, waited, 1));
    CHECK_OK(doca_ctx_set_user_data(s->ctx, self));
    CHECK_OK(doca_pe_connect_ctx(s->pe, s->ctx));
    CHECK_OK(doca_ctx_start(s->ctx));
    CHECK_OK(doca_sync_event_task_wait_gt_alloc_init(s->event, 0, UINT64_MAX, self, &s->task));
    CHECK_OK(doca_pe_get_notification_handle(s->pe, &s->handle));
}

static void close_sleeper(struct sleeper *s)
{
    doca_task_free(doca_sync_event_task_wait_gt_as_doca_task(s->task));
    CHECK_OK(doca_ctx_stop(s->ctx));
    while (doca_pe_progress(s->pe))
        continue;
    CHECK_OK(doca_sync_event_destroy(s->event));
    CHECK_OK(doca_pe_destroy(s->pe));
}

/* Submit a task that waits for a value above `value`, and sleep on the handle until the task
 * completes. If a wake-up is lost, the sleep times out. */
static void sleep_until_above(struct sleeper *s, uint64_t value)
{
    struct pollfd wait = { .fd = s->handle, .events = POLLIN };
    unsigned before = s->num_done;

    doca_sync_event_task_wait_gt_set_wait_val(s->task, value);
    CHECK_OK(doca_task_submit(doca_sync_event_task_wait_gt_as_doca_task(s->task)));
    while (s->num_done == before) {
        if (doca_pe_progress(s->pe))
            continue;
        CHECK_OK(doca_pe_request_notification(s->pe));
        CHECK(poll(&wait, 1, PATIENCE_MS) == 1);
        CHECK_OK(doca_pe_clear_notification(s->pe, s->handle));
    }
}

/* The variable that the threads hand over. Each thread has its own mapping of the event's page, and
 * ThreadSanitizer does not know that the mappings are the same memory. Therefore the variable is
 * atomic, with relaxed order: only the library orders the accesses. */
static uint64_t mark;

static uint64_t mark_add(uint64_t more)
{
    return __atomic_fetch_add(&mark, more, __ATOMIC_RELAXED);
}

static void *sleep_in_turn(void *number)
{
    size_t me = (size_t)number;
    bool is_last = false;
    uint64_t round, was;

    for (round = 0; !is_last; round++) {
        if (me == 0) { /* this thread takes the first and the last turn */
            is_last = !time_is_left();
            CHECK(mark_add(is_last ? LAST_TURN : 1) == 2 * round);
            CHECK_OK(doca_sync_event_update_set(pings[1], round + 1));
            if (is_last)
                break;
            sleep_until_above(&sleepers[0], round);
        } else {
            sleep_until_above(&sleepers[1], round);
            is_last = mark_add(0) >= LAST_TURN;
            CHECK(is_last || mark_add(1) == 2 * round + 1);
            if (!is_last)
                CHECK_OK(doca_sync_event_update_add(pings[0], 1, &was));
        }
    }
    return NULL;
}

static void sleeping_threads_miss_no_update(void)
{
    static void *(*const functions[])(void *) = { sleep_in_turn, sleep_in_turn };
    struct doca_dev *dev = open_dev("p0");
    unsigned i;

    for (i = 0; i < 2; i++) {
        pings[i] = make_event(dev, true);
        open_sleeper(&sleepers[i], dev, pings[i]);
    }
    mark = 0;
    run_together(functions, 2);
    CHECK(mark >= LAST_TURN);
    for (i = 0; i < 2; i++) {
        close_sleeper(&sleepers[i]);
        CHECK_OK(doca_sync_event_destroy(pings[i]));
    }
    CHECK_OK(doca_dev_close(dev));
}

/* ---- workers ---- */

struct user { /* a thread that uses the workers: it has a PE, and a context on the shared device */
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_mmap *mmaps[2];
    struct doca_buf_inventory *inventory;
    unsigned char from[BYTES], to[BYTES];
    unsigned num_done;
};

static struct doca_dev *worker_dev;
static struct doca_core_sw_worker *workers[2];
static unsigned num_users; /* users whose threads still run */
static struct user users[2];

static void copied(struct doca_dma_task_memcpy *task, union doca_data task_data,
                   union doca_data ctx_data)
{
    struct doca_buf *src = (struct doca_buf *)(size_t)doca_dma_task_memcpy_get_src(task);
    struct doca_buf *dst = doca_dma_task_memcpy_get_dst(task);
    struct user *u = ctx_data.ptr;

    CHECK_OK(doca_task_get_status(doca_dma_task_memcpy_as_task(task)));
    CHECK(memcmp(u->from + task_data.u64, u->to + task_data.u64, LEN) == 0);
    u->to[task_data.u64]++; /* the task has completed, so this thread may write here */
    u->num_done++;
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));
}

static void open_user(struct user *u)
{
    union doca_data self;
    unsigned i;

    self.ptr = u;
    for (i = 0; i < 2; i++) {
        CHECK_OK(doca_mmap_create(&u->mmaps[i]));
        CHECK_OK(doca_mmap_set_memrange(u->mmaps[i], i == 0 ? u->from : u->to, BYTES));
        CHECK_OK(doca_mmap_add_dev(u->mmaps[i], worker_dev));
        CHECK_OK(doca_mmap_start(u->mmaps[i]));
    }
    CHECK_OK(doca_buf_inventory_create(2 * TASKS, &u->inventory));
    CHECK_OK(doca_buf_inventory_start(u->inventory));
    CHECK_OK(doca_pe_create(&u->pe));
    CHECK_OK(doca_dma_create(worker_dev, &u->dma));
    CHECK_OK(doca_ctx_set_user_data(doca_dma_as_ctx(u->dma), self));
    CHECK_OK(doca_dma_task_memcpy_set_conf(u->dma, copied, copied, TASKS));
    CHECK_OK(doca_pe_connect_ctx(u->pe, doca_dma_as_ctx(u->dma)));
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(u->dma)));
}

static void close_user(struct user *u)
{
    unsigned i;

    CHECK_OK(doca_ctx_stop(doca_dma_as_ctx(u->dma)));
    while (doca_pe_progress(u->pe))
        continue;
    CHECK_OK(doca_dma_destroy(u->dma));
    CHECK_OK(doca_pe_destroy(u->pe));
    CHECK_OK(doca_buf_inventory_destroy(u->inventory));
    for (i = 0; i < 2; i++)
        CHECK_OK(doca_mmap_destroy(u->mmaps[i]));
}

/* Write piece `at` of the source and submit a task that copies it. */
static void submit_copy(struct user *u, size_t at, unsigned char with)
{
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src, *dst;
    union doca_data data;

    data.u64 = at * LEN;
    memset(u->from + at * LEN, with, LEN);
    CHECK_OK(doca_buf_inventory_buf_get_by_data(u->inventory, u->mmaps[0], u->from + at * LEN, LEN,
                                                &src));
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(u->inventory, u->mmaps[1], u->to + at * LEN, LEN,
                                                &dst));
    CHECK_OK(doca_dma_task_memcpy_alloc_init(u->dma, src, dst, data, &task));
    CHECK_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
}

/* Wait until all tasks have completed. With `sleeps`, sleep on the handle instead of polling. */
static void await_copies(struct user *u, unsigned num, bool sleeps)
{
    struct pollfd wait = { .fd = -1, .events = POLLIN };
    long end = now_ms() + PATIENCE_MS;

    CHECK_OK(doca_pe_get_notification_handle(u->pe, &wait.fd));
    while (u->num_done < num) {
        if (doca_pe_progress(u->pe))
            continue;
        if (!sleeps) {
            CHECK(now_ms() < end);
            sched_yield();
            continue;
        }
        CHECK_OK(doca_pe_request_notification(u->pe));
        CHECK(poll(&wait, 1, PATIENCE_MS) == 1);
        CHECK_OK(doca_pe_clear_notification(u->pe, wait.fd));
    }
}

static void *use_workers(void *number)
{
    struct user *u = &users[(size_t)number];
    unsigned round, i, num = 0;

    for (round = 0; time_is_left(); round++) {
        if (round % 16 == 0)
            open_user(u);
        u->num_done = 0;
        num = 1 + round % TASKS;
        for (i = 0; i < num; i++)
            submit_copy(u, i, (unsigned char)(round + i));
        await_copies(u, num, round % 2 == 1);
        if (round % 16 == 15)
            close_user(u);
    }
    if (round % 16 != 0)
        close_user(u);
    __atomic_fetch_sub(&num_users, 1, __ATOMIC_RELEASE);
    return NULL;
}

static void *run_a_worker(void *number)
{
    while (__atomic_load_n(&num_users, __ATOMIC_ACQUIRE) > 0)
        CHECK_OK(doca_core_sw_worker_run(workers[(size_t)number - 2]));
    return NULL;
}

/* Stop the workers again and again, change how soon they sleep, and create and destroy more
 * workers, which no thread runs. */
static void *stop_workers(void *unused)
{
    struct doca_core_sw_worker *other;
    unsigned i;

    for (i = 0; __atomic_load_n(&num_users, __ATOMIC_ACQUIRE) > 0; i++) {
        CHECK_OK(doca_core_sw_worker_set_max_idle_turns(workers[i % 2], i % 3 * 200));
        poll(NULL, 0, 1 + (int)(i % 3));
        CHECK_OK(doca_core_sw_worker_stop(workers[i % 2]));
        CHECK_OK(doca_core_sw_worker_create(worker_dev, &other));
        while (doca_core_sw_worker_destroy(other) == DOCA_ERROR_IN_USE)
            poll(NULL, 0, 1); /* a context that starts meanwhile may use this worker */
    }
    return unused;
}

static void *end_workers(void *unused)
{
    unsigned i;

    while (__atomic_load_n(&num_users, __ATOMIC_ACQUIRE) > 0)
        poll(NULL, 0, 1);
    for (i = 0; i < 100; i++) { /* a stopped thread may have called run again */
        CHECK_OK(doca_core_sw_worker_stop(workers[i % 2]));
        poll(NULL, 0, 1);
    }
    return unused;
}

static void with_workers(void *(*also)(void *))
{
    void *(*const functions[])(void *) = { use_workers,  use_workers, run_a_worker,
                                           run_a_worker, end_workers, also };
    unsigned i;

    worker_dev = open_dev("p0");
    for (i = 0; i < 2; i++) {
        CHECK_OK(doca_core_sw_worker_create(worker_dev, &workers[i]));
        CHECK_OK(doca_core_sw_worker_set_max_idle_turns(workers[i], 100));
    }
    __atomic_store_n(&num_users, 2, __ATOMIC_RELEASE);
    run_together(functions, also != NULL ? 6 : 5);
    for (i = 0; i < 2; i++)
        CHECK_OK(doca_core_sw_worker_destroy(workers[i]));
    CHECK_OK(doca_dev_close(worker_dev));
}

static void workers_serve_several_progress_engines(void)
{
    with_workers(NULL);
}

static void workers_stop_and_run_while_tasks_are_submitted(void)
{
    with_workers(stop_workers);
}

/* ---- faults ---- */

static void *change_faults(void *unused)
{
    static const char *const texts[] = { "dma.complete=delay:3%20,log=0", "",
                                         "dma.complete=hold%10,dma.complete=reorder:2%10,log=0" };
    struct doca_core_fault_record record;
    unsigned i;

    for (i = 0; __atomic_load_n(&num_users, __ATOMIC_ACQUIRE) > 0; i++) {
        if (i % 8 == 0)
            CHECK_OK(doca_core_fault_set(texts[i / 8 % 3]));
        (void)doca_core_fault_get_num_held();
        (void)doca_core_fault_release(i % 2 == 0 ? 1 : UINT32_MAX);
        if (doca_core_fault_get_num() > 0 && doca_core_fault_get_record(1, &record) == DOCA_SUCCESS)
            CHECK(strncmp(record.operation, "dma.complete", 12) == 0);
        sched_yield();
    }
    return unused;
}

static void faults_change_while_tasks_run(void)
{
    void *(*const functions[])(void *) = { use_workers, use_workers, change_faults };

    CHECK_OK(doca_core_fault_set(""));
    worker_dev = open_dev("p0");
    __atomic_store_n(&num_users, 2, __ATOMIC_RELEASE);
    run_together(functions, 3);
    CHECK_OK(doca_core_fault_set(NULL));
    CHECK_OK(doca_dev_close(worker_dev));
}

/* ---- */

#define CASE(name) { #name, name }

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    CASE(threads_open_the_same_devices),
    CASE(threads_open_devices_from_one_pd),
    CASE(threads_open_the_same_representors),
    CASE(devices_are_listed_while_settings_change),
    CASE(threads_allocate_from_one_arena),
    CASE(arenas_are_bound_while_objects_are_created),
    CASE(sinks_change_while_lines_are_written),
    CASE(threads_create_bufs_of_one_mmap),
#if DOCA_CORE_SHARED_MMAPS
    CASE(threads_create_bufs_of_an_ordinary_mmap),
#endif
    CASE(update_orders_earlier_writes),
    CASE(no_addition_is_lost),
    CASE(every_way_to_wait_orders_earlier_writes),
    CASE(sleeping_threads_miss_no_update),
    CASE(workers_serve_several_progress_engines),
    CASE(workers_stop_and_run_while_tasks_are_submitted),
    CASE(faults_change_while_tasks_run),
};

int main(int argc, char **argv)
{
    unsigned i, num = 0;
    int first = 1, a;

    if (argc > 2 && strcmp(argv[1], "-t") == 0) {
        case_ms = (unsigned)strtoul(argv[2], NULL, 10);
        first = 3;
    }
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (a = first; a < argc && strcmp(argv[a], cases[i].name) != 0; a++)
            continue;
        if (argc > first && a == argc)
            continue;
        case_name = cases[i].name;
        cases[i].run();
        printf("ok  %s\n", case_name);
        num++;
    }
    printf("%u cases\n", num);
    return num > 0 ? 0 : 1;
}

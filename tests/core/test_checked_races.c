/* The checked mode: of two threads that make the same call at the same time, one succeeds. Threads
 * that use an object at the same time are reported. */
#include "checked_support.h"

#include <sys/mman.h>
#include <unistd.h>

/* ---- two threads use one object at the same time ---- */

static struct rig shared, second_rig;
static struct doca_dma_task_memcpy *shared_task;

static struct doca_buf *shared_buf;

static struct doca_sync_event *unused_event;
static struct doca_task_batch *shared_batch;
static struct doca_graph *shared_graph;
static struct doca_graph_instance *shared_instance;

static uint64_t reports_before;
static time_t race_deadline;
static struct doca_buf_inventory *one_buf_inventory;
static struct doca_mmap *raced_map;
static bool is_map_thread_safe;

static void ignore_line(uint32_t level, enum doca_core_item item, const char *line, void *user)
{
    (void)level;
    (void)item;
    (void)line;
    (void)user;
}

/* Allocate and release the only buf of the inventory, until the checked mode has reported 100
 * concurrent calls or the deadline has passed. The call with a NULL inventory fails, and must not
 * leave this thread recorded as using an object. */
static void *use_one_inventory(void *map)
{
    unsigned char *memory = map == shared.src_map ? rig_from : rig_to;
    struct doca_buf *buf;
    doca_error_t rc;

    while (doca_core_check_num_reports() < reports_before + 100 && time(NULL) < race_deadline) {
        (void)doca_buf_inventory_buf_get_by_data(NULL, (struct doca_mmap *)map, memory, LEN, &buf);
        rc = doca_buf_inventory_buf_get_by_data(one_buf_inventory, (struct doca_mmap *)map, memory,
                                                LEN, &buf);
        CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_NO_MEMORY);
        if (rc == DOCA_SUCCESS)
            CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    }
    return NULL;
}

static void two_threads_at_an_inventory_are_reported(void)
{
    pthread_t thread;
    uint32_t num;

    rig_open(&shared, TASKS);
    CHECK_OK(doca_buf_inventory_create(1, &one_buf_inventory));
    CHECK_OK(doca_buf_inventory_start(one_buf_inventory));
    doca_core_log_set_sink(ignore_line, NULL); /* two threads may log at the same time */
    reports_before = doca_core_check_num_reports();
    race_deadline = time(NULL) + 60;
    heap_trap_set(HEAP_TRAP_OFF);
    CHECK_EQ(pthread_create(&thread, NULL, use_one_inventory, shared.dst_map), 0);
    (void)use_one_inventory(shared.src_map);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    heap_trap_set(HEAP_TRAP_ABORT);
    record_log();
    CHECK(doca_core_check_num_reports() > reports_before);
    CHECK_OK(doca_buf_inventory_get_num_free_elements(one_buf_inventory, &num));
    CHECK_EQ(num, 1); /* the threads waited for each other, so the free list is whole */
    CHECK_OK(doca_buf_inventory_destroy(one_buf_inventory));
    rig_close(&shared);
}

/* Each thread has its own inventory, but both threads change the buffer count of the same mmap. */
static void *use_one_mmap(void *inventory)
{
    struct doca_buf_inventory *own = (struct doca_buf_inventory *)inventory;
    struct doca_buf *buf;
    unsigned i;

    for (i = 0; doca_core_check_num_reports() < reports_before + 100 && time(NULL) < race_deadline;
         i++) {
        if (is_map_thread_safe && i == 100000)
            break;
        CHECK_OK(doca_buf_inventory_buf_get_by_data(own, raced_map, rig_from, LEN, &buf));
        CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    }
    return NULL;
}

static void two_threads_at_an_mmap_are_reported(void)
{
    struct doca_buf_inventory *inventories[2];
    pthread_t thread;
    unsigned i;

    for (i = 0; i < 2; i++) {
        CHECK_OK(doca_buf_inventory_create(1, &inventories[i]));
        CHECK_OK(doca_buf_inventory_start(inventories[i]));
    }
    for (i = 0; i < 2; i++) {
        is_map_thread_safe = i == 1;
        CHECK_OK(doca_mmap_create(&raced_map));
        CHECK_OK(doca_mmap_set_memrange(raced_map, rig_from, RIG_BYTES));
        if (is_map_thread_safe)
            CHECK_OK(doca_mmap_enable_thread_safety(raced_map));
        CHECK_OK(doca_mmap_start(raced_map));
        CHECK_OK(doca_core_log_set_level(DOCA_CORE_LOG_DISABLE));
        reports_before = doca_core_check_num_reports();
        race_deadline = time(NULL) + 60;
        heap_trap_set(HEAP_TRAP_OFF);
        CHECK_EQ(pthread_create(&thread, NULL, use_one_mmap, inventories[0]), 0);
        (void)use_one_mmap(inventories[1]);
        CHECK_EQ(pthread_join(thread, NULL), 0);
        heap_trap_set(HEAP_TRAP_ABORT);
        CHECK_OK(doca_core_log_set_level(DOCA_CORE_LOG_WARNING));
        if (is_map_thread_safe)
            CHECK_EQ(doca_core_check_num_reports(), reports_before);
        else
            CHECK(doca_core_check_num_reports() > reports_before);
        CHECK_OK(doca_mmap_destroy(raced_map));
    }
    for (i = 0; i < 2; i++)
        CHECK_OK(doca_buf_inventory_destroy(inventories[i]));
}

/* ---- two threads make the same call at the same time, in many rounds ---- */

enum { ROUNDS = 10000 };

static pthread_barrier_t round_barrier;
static unsigned num_awake;
static void *(*round_function)(void *);

static void *run_rounds(void *arg)
{
    unsigned i, spins;

    for (i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&round_barrier);
        /* Spin until the other thread is awake too, so that both call at the same time. Give up
         * after a while: on one processor the other thread would need the next time slice. */
        __atomic_fetch_add(&num_awake, 1, __ATOMIC_RELAXED);
        for (spins = 0; spins < 10000; spins++)
            if (__atomic_load_n(&num_awake, __ATOMIC_RELAXED) >= 2 * (i + 1))
                break;
        round_function(arg);
        pthread_barrier_wait(&round_barrier);
    }
    return NULL;
}

/* In each round this thread calls `before`, then two threads call `function` at the same time, then
 * this thread calls `after`. */
static void race_two_threads(void *(*function)(void *), void (*before)(void), void (*after)(void))
{
    pthread_t threads[2];
    unsigned i;

    round_function = function;
    num_awake = 0;
    doca_core_log_set_sink(ignore_line, NULL);
    CHECK_EQ(pthread_barrier_init(&round_barrier, NULL, 3), 0);
    heap_trap_set(HEAP_TRAP_OFF);
    for (i = 0; i < 2; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, run_rounds, NULL), 0);
    for (i = 0; i < ROUNDS; i++) {
        before();
        pthread_barrier_wait(&round_barrier);
        pthread_barrier_wait(&round_barrier);
        after();
    }
    for (i = 0; i < 2; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    heap_trap_set(HEAP_TRAP_ABORT);
    CHECK_EQ(pthread_barrier_destroy(&round_barrier), 0);
    record_log();
}

static unsigned round_count; /* successful calls; in run_own_copy(): threads */

static void count_success(doca_error_t rc)
{
    __atomic_fetch_add(&round_count, rc == DOCA_SUCCESS, __ATOMIC_RELAXED);
}

static void *submit_shared_task(void *arg)
{
    (void)arg;
    count_success(rig_submit(shared_task));
    return NULL;
}

static void before_submits(void)
{
    round_count = 0;
    shared.num_ok = 0;
    CHECK_OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(shared_task)));
}

static void after_submits(void)
{
    CHECK_EQ(round_count, 1);
    CHECK_EQ(rig_inflight(shared.ctx), 1);
    rig_drain(&shared);
    CHECK_EQ(shared.num_ok, 1);
}

static void racing_submits_succeed_once(void)
{
    rig_open(&shared, TASKS);
    shared_task = rig_prepare(&shared, shared.dma, 0, LEN);
    race_two_threads(submit_shared_task, before_submits, after_submits);
    rig_release(shared_task);
    rig_close(&shared);
}

/* A device that counts registrations. */
static unsigned num_regs, num_deregs;

static doca_error_t counting_reg(struct doca_dev *dev, void *addr, size_t len, uint32_t access,
                                 uint32_t *mkey)
{
    (void)dev;
    (void)addr;
    (void)len;
    (void)access;
    *mkey = __atomic_add_fetch(&num_regs, 1, __ATOMIC_RELAXED);
    return DOCA_SUCCESS;
}

static void counting_dereg(struct doca_dev *dev, uint32_t mkey)
{
    (void)dev;
    (void)mkey;
    __atomic_fetch_add(&num_deregs, 1, __ATOMIC_RELAXED);
}

static void *start_and_stop_mmap(void *arg)
{
    (void)arg;
    (void)doca_mmap_start(slow_map);
    (void)doca_mmap_stop(slow_map);
    return NULL;
}

static void *destroy_mmap(void *arg)
{
    (void)arg;
    count_success(doca_mmap_destroy(slow_map));
    return NULL;
}

static void before_starts(void)
{
}

static void after_starts(void)
{
    /* depending on the order of the calls, the mmap may still be started */
    (void)doca_mmap_stop(slow_map);
    CHECK_EQ(num_regs, num_deregs);
}

static void before_destroys(void)
{
    round_count = 0;
    make_slow_map();
    CHECK_OK(doca_mmap_start(slow_map));
}

static void after_destroys(void)
{
    CHECK_EQ(round_count, 1);
    CHECK_EQ(num_regs, num_deregs);
}

static void racing_mmap_calls_take_effect_once(void)
{
    struct doca_core_backend table = slow_table();

    table.reg = counting_reg;
    table.dereg = counting_dereg;
    open_slow(&table);
    race_two_threads(start_and_stop_mmap, before_starts, after_starts);
    CHECK_OK(doca_mmap_destroy(slow_map));
    race_two_threads(destroy_mmap, before_destroys, after_destroys);
    close_slow();
}

static void *try_release_buf(void *arg)
{
    (void)arg;
    count_success(doca_buf_dec_refcount(shared_buf, NULL));
    return NULL;
}

/* A batch that two threads free at the same time is freed once. */
static void *free_batch(void *arg)
{
    (void)arg;
    doca_task_batch_free(shared_batch);
    return NULL;
}

static void before_batches(void)
{
    CHECK_OK(doca_core_task_batch_alloc_init(shared.ctx, (union doca_data){ 0 }, &shared_batch));
}

static void after_batches(void)
{
    struct doca_task_batch *batches[3];
    unsigned i, num;

    for (num = 0; num < 3; num++)
        if (doca_core_task_batch_alloc_init(shared.ctx, (union doca_data){ 0 }, &batches[num]) !=
            DOCA_SUCCESS)
            break;
    CHECK_EQ(num, 2);
    CHECK(batches[0] != batches[1]);
    for (i = 0; i < num; i++)
        doca_task_batch_free(batches[i]);
}

static void *destroy_instance(void *arg)
{
    (void)arg;
    count_success(doca_graph_instance_destroy(shared_instance));
    return NULL;
}

static void before_instances(void)
{
    round_count = 0;
    CHECK_OK(doca_graph_instance_create(shared_graph, &shared_instance));
}

static void *destroy_graph(void *arg)
{
    (void)arg;
    count_success(doca_graph_destroy(shared_graph));
    return NULL;
}

static void before_graphs(void)
{
    struct doca_graph_node *node;
    unsigned i;

    round_count = 0;
    CHECK_OK(doca_graph_create(shared.pe, &shared_graph));
    for (i = 0; i < 4; i++)
        CHECK_OK(doca_graph_node_create_from_ctx(shared_graph, shared.ctx, &node));
}

static void *stop_event(void *arg)
{
    (void)arg;
    count_success(doca_sync_event_stop(unused_event));
    return NULL;
}

static void before_stops(void)
{
    round_count = 0;
    CHECK_OK(doca_sync_event_start(unused_event));
}

static void after_one(void)
{
    CHECK_EQ(round_count, 1);
}

static void racing_frees_and_stops_take_effect_once(void)
{
    struct doca_graph_node *node;

    rig_build(&shared, NULL, TASKS);
    CHECK_OK(doca_core_ctx_set_task_batch_conf(shared.ctx, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 2,
                                               batch_ended, batch_ended));
    CHECK_OK(doca_ctx_start(shared.ctx));
    rig_drain(&shared);
    race_two_threads(free_batch, before_batches, after_batches);
    race_two_threads(destroy_graph, before_graphs, after_one);
    CHECK_OK(doca_graph_create(shared.pe, &shared_graph));
    CHECK_OK(doca_graph_node_create_from_ctx(shared_graph, shared.ctx, &node));
    CHECK_OK(doca_graph_set_conf(shared_graph, graph_ended, graph_ended, 1));
    CHECK_OK(doca_graph_start(shared_graph));
    race_two_threads(destroy_instance, before_instances, after_one);
    CHECK_OK(doca_graph_stop(shared_graph));
    CHECK_OK(doca_graph_destroy(shared_graph));
    CHECK_OK(doca_sync_event_create(&unused_event));
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(unused_event, shared.dev));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(unused_event, shared.dev));
    race_two_threads(stop_event, before_stops, after_one);
    CHECK_OK(doca_sync_event_destroy(unused_event));
    rig_close(&shared);
}

/* The free callback of an mmap may unmap not only the range of the mmap but also the arena that
 * holds the mmap. doca_mmap_destroy() must not access that memory after the callback. */
static unsigned char *whole_mapping;

static void unmap_all(void *addr, size_t len, void *opaque)
{
    (void)addr;
    (void)len;
    CHECK_EQ(munmap(opaque, 1 << 20), 0);
    whole_mapping = NULL;
}

static void mmap_destroy_may_unmap_its_own_arena(void)
{
    struct doca_core_arena own;
    struct doca_mmap *map;
    void *mapping = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    CHECK(mapping != MAP_FAILED);
    whole_mapping = mapping;
    CHECK_OK(doca_core_arena_init(&own, whole_mapping, 1 << 19));
    CHECK_OK(doca_core_mmap_create_in(&own, &map));
    CHECK_OK(doca_mmap_set_memrange(map, whole_mapping + (1 << 19), 1 << 19));
    CHECK_OK(doca_mmap_set_free_cb(map, unmap_all, mapping));
    CHECK_OK(doca_mmap_start(map));
    CHECK_OK(doca_mmap_destroy(map));
    CHECK(whole_mapping == NULL);
}

/* Both threads release the same list of 16 bufs. The call reads the whole list first, so it takes
 * long enough for the threads to meet. */
static void before_releases(void)
{
    unsigned i;

    round_count = 0;
    shared_buf = rig_src(&shared, 0, LEN);
    for (i = 1; i < 16; i++)
        CHECK_OK(doca_buf_chain_list(shared_buf, rig_src(&shared, 0, LEN)));
}

static void after_releases(void)
{
    CHECK_EQ(round_count, 1);
}

static void racing_buf_releases_succeed_once(void)
{
    uint32_t num_before, num_after;

    rig_open(&shared, TASKS);
    CHECK_OK(doca_buf_inventory_get_num_free_elements(shared.inventory, &num_before));
    race_two_threads(try_release_buf, before_releases, after_releases);
    CHECK_OK(doca_buf_inventory_get_num_free_elements(shared.inventory, &num_after));
    CHECK_EQ(num_after, num_before);
    rig_close(&shared);
}

/* Each thread has its own PE. A task of each PE reads the same list, which can be changed only
 * after both tasks have completed. */
static struct doca_dma_task_memcpy *tasks_of_both[2];

static void *run_own_copy(void *arg)
{
    unsigned i = __atomic_fetch_add(&round_count, 1, __ATOMIC_RELAXED);

    (void)arg;
    CHECK_OK(rig_submit(tasks_of_both[i]));
    rig_drain(i == 0 ? &shared : &second_rig);
    return NULL;
}

static void before_copies(void)
{
    unsigned i;

    round_count = 0;
    for (i = 0; i < 2; i++)
        CHECK_OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(tasks_of_both[i])));
}

static void after_copies(void)
{
    CHECK_OK(doca_buf_set_data(shared_buf, rig_from, 1));
}

static void list_read_by_two_threads_can_be_changed_afterwards(void)
{
    unsigned i;

    rig_open(&shared, 1);
    rig_open(&second_rig, 1);
    shared_buf = rig_src(&shared, 0, 1);
    for (i = 1; i < LEN; i++)
        CHECK_OK(doca_buf_chain_list(shared_buf, rig_src(&shared, i, 1)));
    tasks_of_both[0] = rig_task(shared.dma, shared_buf, rig_dst(&shared, 0, LEN));
    tasks_of_both[1] = rig_task(second_rig.dma, shared_buf, rig_dst(&second_rig, LEN, LEN));
    race_two_threads(run_own_copy, before_copies, after_copies);
    CHECK_EQ(shared.num_ok, ROUNDS);
    CHECK_EQ(second_rig.num_ok, ROUNDS);
    CHECK_OK(doca_buf_dec_refcount(doca_dma_task_memcpy_get_dst(tasks_of_both[1]), NULL));
    doca_task_free(doca_dma_task_memcpy_as_task(tasks_of_both[1]));
    rig_release(tasks_of_both[0]);
    rig_close(&second_rig);
    rig_close(&shared);
}

/* Both threads change the reference count of one buf if `is_counted` is set, else its content. */
static bool is_counted;

static void *use_one_buf(void *arg)
{
    while (doca_core_check_num_reports() < reports_before + 100 && time(NULL) < race_deadline) {
        if (is_counted) {
            CHECK_OK(doca_buf_inc_refcount(shared_buf, NULL));
            CHECK_OK(doca_buf_dec_refcount(shared_buf, NULL));
        } else {
            CHECK_OK(doca_buf_set_data(shared_buf, arg, LEN));
        }
    }
    return NULL;
}

static void two_threads_at_a_buf_are_reported(void)
{
    pthread_t thread;
    uint16_t num;
    unsigned i;

    rig_open(&shared, TASKS);
    shared_buf = rig_src(&shared, 0, 2 * LEN);
    for (i = 0; i < 2; i++) {
        is_counted = i == 1;
        doca_core_log_set_sink(ignore_line, NULL);
        reports_before = doca_core_check_num_reports();
        race_deadline = time(NULL) + 60;
        heap_trap_set(HEAP_TRAP_OFF);
        CHECK_EQ(pthread_create(&thread, NULL, use_one_buf, rig_from), 0);
        (void)use_one_buf(rig_from + LEN);
        CHECK_EQ(pthread_join(thread, NULL), 0);
        heap_trap_set(HEAP_TRAP_ABORT);
        record_log();
        CHECK(doca_core_check_num_reports() > reports_before);
    }
    CHECK_OK(doca_buf_get_refcount(shared_buf, &num));
    CHECK_EQ(num, 1);
    CHECK_OK(doca_buf_dec_refcount(shared_buf, NULL));
    rig_close(&shared);
}

/* Two threads chain and split the same list. This is reported, and the list stays intact. */
static struct doca_buf *shared_list[2];
static enum doca_core_item damage;

static void record_damage(uint32_t level, enum doca_core_item item, const char *line, void *user)
{
    (void)level;
    (void)line;
    (void)user;
    if (item == DOCA_CORE_ITEM_BUF_BROKEN)
        __atomic_store_n(&damage, item, __ATOMIC_RELAXED);
}

static void *use_one_list(void *arg)
{
    (void)arg;
    while (doca_core_check_num_reports() < reports_before + 100 && time(NULL) < race_deadline) {
        (void)doca_buf_chain_list(shared_list[0], shared_list[1]);
        (void)doca_buf_unchain_list(shared_list[0], shared_list[1]);
    }
    return NULL;
}

static void two_threads_at_a_list_are_reported(void)
{
    pthread_t thread;
    uint32_t num;

    rig_open(&shared, TASKS);
    shared_list[0] = rig_src(&shared, 0, LEN);
    shared_list[1] = rig_src(&shared, LEN, LEN);
    damage = DOCA_CORE_ITEM_NONE;
    doca_core_log_set_sink(record_damage, NULL);
    reports_before = doca_core_check_num_reports();
    race_deadline = time(NULL) + 60;
    heap_trap_set(HEAP_TRAP_OFF);
    CHECK_EQ(pthread_create(&thread, NULL, use_one_list, NULL), 0);
    (void)use_one_list(NULL);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    heap_trap_set(HEAP_TRAP_ABORT);
    record_log();
    CHECK_EQ(damage, DOCA_CORE_ITEM_NONE);
    CHECK(doca_core_check_num_reports() > reports_before);
    /* the last call of the threads may have split the list */
    (void)doca_buf_chain_list(shared_list[0], shared_list[1]);
    CHECK_OK(doca_buf_get_list_len(shared_list[0], &num));
    CHECK_EQ(num, 2);
    CHECK_OK(doca_buf_dec_refcount(shared_list[0], NULL));
    rig_close(&shared);
}

static const struct test_case cases[] = {
    CASE(two_threads_at_an_inventory_are_reported, ""),
    CASE(two_threads_at_an_mmap_are_reported, ""),
    CASE(racing_submits_succeed_once, ""),
    CASE(racing_mmap_calls_take_effect_once, ""),
    CASE(racing_frees_and_stops_take_effect_once, ""),
    CASE(mmap_destroy_may_unmap_its_own_arena, ""),
    CASE(racing_buf_releases_succeed_once, ""),
    CASE(list_read_by_two_threads_can_be_changed_afterwards, ""),
    CASE(two_threads_at_a_buf_are_reported, ""),
    CASE(two_threads_at_a_list_are_reported, ""),
};

TEST_MAIN(cases)

/* The memory and the file descriptors that sync events take, and what happens when these run
 * out. */
#include "sync_event_support.h"

#include <pthread.h>
#include <sys/resource.h>

/* ---- resources ---- */

static void destroy_frees_memory_and_descriptors(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event_remote_net *net;
    struct doca_sync_event *event, *import;
    int fd = event_free_fd(), i;
    const uint8_t *data;
    struct event_rig r;
    size_t sz;

    for (i = 0; i < 50; i++) {
        event = event_alone(dev, true);
        import = import_of(dev, event);
        CHECK_OK(doca_sync_event_destroy(event));
        CHECK_OK(doca_sync_event_destroy(import));
        event_build_ctx(&r, dev, event_make(dev, true));
        event_start(&r);
        CHECK(!event_is_readable(r.pe, 0));
        CHECK_OK(doca_pe_request_notification(r.pe));
        CHECK_OK(doca_sync_event_destroy(r.event)); /* while it is running and armed */
        CHECK_OK(doca_pe_destroy(r.pe));
        event = event_net(dev);
        CHECK_OK(doca_sync_event_export_to_remote_net(event, &data, &sz));
        CHECK_OK(doca_sync_event_remote_net_create_from_export(dev, data, sz, &net));
        CHECK_OK(doca_sync_event_remote_net_destroy(net));
        CHECK_OK(doca_sync_event_destroy(event));
        CHECK_EQ(event_free_fd(), fd);
    }
    CHECK_OK(doca_dev_close(dev));
}

/* With fewer and fewer free descriptors, each step fails at least once. A failed step leaves no
 * memory or descriptor in use. */
static void lack_of_descriptors_is_an_ordinary_error(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true), *import;
    struct rlimit old, few;
    const uint8_t *data;
    struct event_rig r;
    int fd = event_free_fd();
    unsigned failures[3] = { 0, 0, 0 }, room;
    doca_error_t rc;
    size_t sz;

    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
    event_build_ctx(&r, dev, event_make(dev, true));
    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &old), 0);
    few = old;
    for (room = 0; room < 6; room++) {
        few.rlim_cur = (rlim_t)fd + room;
        CHECK_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
        rc = doca_sync_event_create_from_export(dev, data, sz, &import);
        CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_OPERATING_SYSTEM);
        if (room == 0) /* the library cannot even read the id of this machine */
            CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EXPORT_SYSTEM);
        failures[0] += rc != DOCA_SUCCESS;
        if (rc == DOCA_SUCCESS)
            CHECK_OK(doca_sync_event_destroy(import));
        rc = doca_ctx_start(r.ctx);
        CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_OPERATING_SYSTEM);
        failures[1] += rc != DOCA_SUCCESS;
        if (rc != DOCA_SUCCESS)
            CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_SYSTEM);
        CHECK_OK(doca_ctx_stop(r.ctx));
        rc = doca_sync_event_stop(event);
        CHECK_OK(rc);
        rc = doca_sync_event_start(event); /* one descriptor is free */
        failures[2] += rc != DOCA_SUCCESS;
        setrlimit(RLIMIT_NOFILE, &old);
        if (rc != DOCA_SUCCESS)
            CHECK_OK(doca_sync_event_start(event));
        CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
        CHECK_EQ(event_free_fd(), fd);
    }
    CHECK(failures[0] > 0 && failures[0] < 6);
    CHECK(failures[1] >= failures[0] && failures[1] < 6);
    CHECK(failures[2] > 0 && failures[2] < 6);
    event_close_ctx(&r);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

/* When RLIMIT_FSIZE forbids writing files, the call fails and the process gets no SIGXFSZ. */
static void limit_of_file_sizes_is_an_ordinary_error(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true), *another = event_make(dev, true);
    struct doca_sync_event *import = NULL;
    struct rlimit old, small;
    doca_error_t started, imported;
    const uint8_t *data;
    size_t sz;

    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
    CHECK_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    for (small.rlim_cur = 0; small.rlim_cur <= 4096; small.rlim_cur += 2048) {
        doca_core_log_set_level(DOCA_CORE_LOG_DISABLE); /* the log may go to a file */
        CHECK_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
        started = doca_sync_event_start(another);
        imported = doca_sync_event_create_from_export(dev, data, sz, &import);
        CHECK_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
        doca_core_log_set_level(DOCA_CORE_LOG_WARNING);
        CHECK_RC(started, small.rlim_cur < 4096 ? DOCA_ERROR_OPERATING_SYSTEM : DOCA_SUCCESS);
        CHECK_RC(imported, started);
    }
    CHECK_OK(doca_sync_event_destroy(import));
    CHECK_OK(doca_sync_event_destroy(another));
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

/* Export an event in a thread. If the thread has its own descriptor table, the page of the event
 * has the same descriptor number as another page in the first thread. */
static void *export_in_thread(void *is_apart)
{
    struct doca_sync_event *event;
    struct doca_dev *dev;
    int fd;

    if (unshare(CLONE_FILES) != 0)
        return NULL;
    *(bool *)is_apart = true;
    for (fd = 3; fd < 256; fd++)
        close(fd);
    dev = rig_open_dev(NULL);
    event = event_alone(dev, true);
    CHECK_OK(doca_sync_event_update_set(event, 77));
    CHECK_EQ(event_value(event), 77);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
    return NULL;
}

static void threads_may_have_their_own_descriptor_tables(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *events[8], *import;
    bool is_apart = false;
    const uint8_t *data;
    pthread_t thread;
    unsigned i;
    size_t sz;

    for (i = 0; i < 8; i++) {
        events[i] = event_alone(dev, true);
        CHECK_OK(doca_sync_event_update_set(events[i], 5));
        CHECK_OK(doca_sync_event_export_to_dpu(events[i], dev, &data, &sz));
    }
    heap_trap_set(HEAP_TRAP_OFF);
    CHECK_EQ(pthread_create(&thread, NULL, export_in_thread, &is_apart), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    heap_trap_set(HEAP_TRAP_ABORT);
    for (i = 0; i < 8; i++) {
        CHECK_EQ(event_value(events[i]), 5);
        CHECK_OK(doca_sync_event_export_to_dpu(events[i], dev, &data, &sz));
        CHECK_OK(doca_sync_event_create_from_export(dev, data, sz, &import));
        CHECK_OK(doca_sync_event_destroy(import));
        CHECK_OK(doca_sync_event_destroy(events[i]));
    }
    CHECK_OK(doca_dev_close(dev));
    if (!is_apart)
        test_skip("this system does not permit separate descriptor tables");
}

/* The library must not remember a failure for lack of descriptors when the program exports
 * again. */
static void export_without_descriptors_can_be_tried_again(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true), *import = NULL;
    struct rlimit old, few;
    const uint8_t *data = NULL;
    size_t sz = 0;

    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &old), 0);
    few = old;
    few.rlim_cur = (rlim_t)event_free_fd();
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    CHECK_RC(doca_sync_event_export_to_dpu(event, dev, &data, &sz), DOCA_ERROR_OPERATING_SYSTEM);
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &old), 0);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EXPORT_SYSTEM);
    CHECK(data == NULL && sz == 0);
    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
    CHECK_OK(doca_sync_event_create_from_export(dev, data, sz, &import));
    CHECK_OK(doca_sync_event_destroy(import));
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

/* A context without wait tasks needs no descriptors to watch the value. */
static void context_without_waits_opens_no_descriptor(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true);
    struct doca_sync_event_task_get *get;
    struct event_rig r;
    uint64_t value = 0;
    int fd;

    memset(&r, 0, sizeof(r));
    r.dev = dev;
    r.event = import_of(dev, event);
    r.ctx = doca_sync_event_as_ctx(r.event);
    CHECK_OK(doca_pe_create(&r.pe));
    CHECK_OK(doca_sync_event_task_get_set_conf(r.event, event_get_done, event_get_done, 1));
    CHECK_OK(doca_ctx_set_user_data(r.ctx, (union doca_data){ .ptr = &r }));
    CHECK_OK(doca_pe_connect_ctx(r.pe, r.ctx));
    fd = event_free_fd();
    event_start(&r);
    CHECK_EQ(event_free_fd(), fd);
    CHECK_OK(doca_sync_event_update_set(event, 9));
    CHECK_OK(doca_sync_event_task_get_alloc_init(r.event, &value, (union doca_data){ 0 }, &get));
    event_do(&r, doca_sync_event_task_get_as_doca_task(get));
    CHECK_EQ(value, 9);
    event_close_ctx(&r);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

/* An import that fails because the arena is exhausted closes the descriptors that it has opened. */
static void failed_import_closes_its_descriptors(void)
{
    static DOCA_CORE_ALIGNED unsigned char mem[16 * DOCA_CORE_BYTES_SYNC_EVENT_REMOTE_NET(1)];
    struct doca_sync_event_remote_net *nets[17];
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_net(dev);
    struct doca_core_arena arena;
    const uint8_t *data;
    size_t sz, used;
    unsigned num;
    int fd;

    CHECK_OK(doca_sync_event_export_to_remote_net(event, &data, &sz));
    CHECK_OK(doca_core_arena_init(&arena, mem, sizeof(mem)));
    for (num = 0; num < 16; num++)
        CHECK_OK(doca_core_sync_event_remote_net_create_from_export_in(&arena, dev, data, sz,
                                                                       &nets[num]));
    fd = event_free_fd();
    nets[16] = NULL;
    CHECK_RC(doca_core_sync_event_remote_net_create_from_export_in(&arena, dev, data, sz,
                                                                   &nets[16]),
             DOCA_ERROR_NO_MEMORY);
    CHECK_PTR(nets[16], NULL);
    CHECK_EQ(event_free_fd(), fd);
    while (num-- > 0)
        CHECK_OK(doca_sync_event_remote_net_destroy(nets[num]));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

static void lack_of_memory_is_an_ordinary_error(void)
{
    static DOCA_CORE_ALIGNED unsigned char mem[8192];
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true), *net_event = event_net(dev);
    struct doca_sync_event *made, *import;
    struct doca_sync_event_remote_net *net;
    int fd = event_free_fd();
    const uint8_t *data, *net_data;
    size_t sz, net_sz, lines, used, failures = 0;

    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
    CHECK_OK(doca_sync_event_export_to_remote_net(net_event, &net_data, &net_sz));
    for (lines = 2; lines < sizeof(mem) / DOCA_CORE_LINE; lines++) {
        doca_error_t rc[4] = { 0, 0, 0, 0 };
        struct doca_core_arena arena;
        struct event_rig r;

        CHECK_OK(doca_core_arena_init(&arena, mem, lines * DOCA_CORE_LINE));
        rc[0] = doca_core_sync_event_create_from_export_in(&arena, dev, data, sz, &import);
        if (rc[0] == DOCA_SUCCESS)
            CHECK_OK(doca_sync_event_destroy(import));
        rc[1] = doca_core_sync_event_remote_net_create_from_export_in(&arena, dev, net_data,
                                                                      net_sz, &net);
        if (rc[1] == DOCA_SUCCESS)
            CHECK_OK(doca_sync_event_remote_net_destroy(net));
        rc[2] = doca_core_sync_event_create_in(&arena, &made);
        if (rc[2] == DOCA_SUCCESS) {
            CHECK_OK(doca_sync_event_add_publisher_location_dpu(made));
            CHECK_OK(doca_sync_event_add_subscriber_location_dpu(made));
            event_build_ctx(&r, dev, made);
            rc[3] = doca_ctx_start(r.ctx);
            CHECK_OK(doca_sync_event_destroy(made));
            CHECK_OK(doca_pe_destroy(r.pe));
        }
        for (used = 0; used < 4; used++) {
            CHECK(rc[used] == DOCA_SUCCESS || rc[used] == DOCA_ERROR_NO_MEMORY);
            failures += rc[used] != DOCA_SUCCESS;
        }
        CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
        CHECK_EQ(used, 0);
        CHECK_EQ(event_free_fd(), fd);
    }
    CHECK(failures > 4);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_sync_event_destroy(net_event));
    CHECK_OK(doca_dev_close(dev));
}

static void event_takes_the_documented_bytes(void)
{
    static DOCA_CORE_ALIGNED unsigned char mem[65536];
    static const uint32_t nums[][4] = { { 1, 0, 0, 0 }, { 0, 0, 0, 3 }, { 2, 7, 1, 30 } };
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event;
    struct doca_core_arena arena;
    struct doca_pe *pe;
    size_t i, used, bytes;

    CHECK_OK(doca_core_arena_init(&arena, mem, sizeof(mem)));
    CHECK_OK(doca_core_sync_event_create_in(&arena, &event));
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
    CHECK_OK(doca_sync_event_add_subscriber_location_dpu(event));
    CHECK_OK(doca_sync_event_start(event));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, DOCA_CORE_BYTES_SYNC_EVENT(0));
    CHECK_OK(doca_core_bytes_sync_event(0, &bytes));
    CHECK_EQ(bytes, used);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_core_bytes_sync_event_remote_net(&bytes));
    CHECK_EQ(bytes, DOCA_CORE_BYTES_SYNC_EVENT_REMOTE_NET(1));
    CHECK_OK(doca_pe_create(&pe));
    for (i = 0; i < sizeof(nums) / sizeof(nums[0]); i++) {
        uint32_t num = nums[i][0] + nums[i][1] + nums[i][2] + nums[i][3];

        CHECK_OK(doca_core_sync_event_create_in(&arena, &event));
        CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
        CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
        CHECK_OK(doca_pe_connect_ctx(pe, doca_sync_event_as_ctx(event)));
        if (nums[i][0] > 0)
            CHECK_OK(doca_sync_event_task_get_set_conf(event, event_get_done, event_get_done,
                                                       nums[i][0]));
        if (nums[i][1] > 0)
            CHECK_OK(doca_sync_event_task_notify_set_set_conf(event, event_notify_set_done,
                                                              event_notify_set_done, nums[i][1]));
        if (nums[i][2] > 0)
            CHECK_OK(doca_sync_event_task_notify_add_set_conf(event, event_notify_add_done,
                                                              event_notify_add_done, nums[i][2]));
        if (nums[i][3] > 0)
            CHECK_OK(doca_sync_event_task_wait_gt_set_conf(event, event_wait_gt_done,
                                                           event_wait_gt_done, nums[i][3]));
        CHECK_OK(doca_ctx_start(doca_sync_event_as_ctx(event)));
        CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
        CHECK_OK(doca_core_bytes_sync_event(num, &bytes));
        CHECK_EQ(bytes, DOCA_CORE_BYTES_SYNC_EVENT(num));
        CHECK(DOCA_CORE_CHECK >= 2 ? used <= bytes : used == bytes);
        CHECK_OK(doca_sync_event_destroy(event));
        CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
        CHECK_EQ(used, 0);
    }
    CHECK_OK(doca_pe_destroy(pe));
    CHECK_OK(doca_dev_close(dev));
}

static const struct test_case cases[] = {
    CASE(destroy_frees_memory_and_descriptors, ""),
    CASE(lack_of_descriptors_is_an_ordinary_error, ""),
    CASE(limit_of_file_sizes_is_an_ordinary_error, ""),
    CASE(threads_may_have_their_own_descriptor_tables, ""),
    CASE(export_without_descriptors_can_be_tried_again, ""),
    CASE(context_without_waits_opens_no_descriptor, ""),
    CASE(failed_import_closes_its_descriptors, ""),
    CASE(lack_of_memory_is_an_ordinary_error, ""),
    CASE(event_takes_the_documented_bytes, ""),
};

TEST_MAIN(cases)

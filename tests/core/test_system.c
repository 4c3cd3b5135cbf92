/* Failures of the operating system. The test runs each scenario once for every system call that the
 * library makes in it, and lets that call fail: only this call, or this call and all later calls,
 * with several values of errno. Each run must give the usual result, or fail and log a reason.
 * Afterwards all objects can be destroyed, no byte of the arena and no file descriptor is lost, and
 * the scenario works again. The linker replaces functions of the C library by the functions below
 * (--wrap). */
#include "event_rig.h"
#include "share.h"

#include <signal.h>
#include <stdarg.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* ---- system calls that fail ---- */

static struct {
    bool is_armed;
    bool for_good;     /* all later calls fail, too */
    unsigned num_more; /* as many calls after it fail, too */
    unsigned at, num;  /* number of the call that fails, counted from 1; number of calls so far */
    int error;         /* errno of the failure */
    const char *name;  /* name of the first call that failed; NULL: no call has failed */
} fault;

static unsigned num_ioctls, num_interruptions; /* interrupt that many ioctls, then none */

/* Count a system call. Return true, with errno set, when the call is to fail. */
static bool fails(const char *name)
{
    if (strcmp(name, "ioctl") == 0) {
        num_ioctls++;
        if (num_interruptions > 0) {
            errno = --num_interruptions % 2 == 0 ? EINTR : EAGAIN;
            return true;
        }
    }
    if (!fault.is_armed)
        return false;
    fault.num++;
    if (fault.num < fault.at || (!fault.for_good && fault.num - fault.at > fault.num_more))
        return false;
    if (fault.name == NULL)
        fault.name = name;
    errno = fault.error;
    return true;
}

#define WRAP(type, name, parameters, arguments, failed)                                            \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        return fails(#name) ? failed : __real_##name arguments;                                    \
    }

WRAP(int, epoll_create1, (int flags), (flags), -1)
WRAP(int, epoll_ctl, (int set, int op, int fd, void *event), (set, op, fd, event), -1)
WRAP(int, epoll_wait, (int set, void *events, int num, int timeout_ms),
     (set, events, num, timeout_ms), -1)
WRAP(int, eventfd, (unsigned value, int flags), (value, flags), -1)
WRAP(int, fcntl, (int fd, int command, long arg), (fd, command, arg), -1)
WRAP(int, flock, (int fd, int operation), (fd, operation), -1)
WRAP(int, fstat, (int fd, struct stat *st), (fd, st), -1)
WRAP(int, getrlimit, (int what, void *limit), (what, limit), -1)
WRAP(int, inotify_add_watch, (int fd, const char *path, uint32_t mask), (fd, path, mask), -1)
WRAP(int, inotify_init1, (int flags), (flags), -1)
WRAP(int, inotify_rm_watch, (int fd, int watch), (fd, watch), -1)
WRAP(int, ioctl, (int fd, unsigned long request, void *arg), (fd, request, arg), -1)
WRAP(off_t, lseek, (int fd, off_t offset, int whence), (fd, offset, whence), -1)
WRAP(void *, mmap, (void *at, size_t len, int prot, int flags, int fd, off_t offset),
     (at, len, prot, flags, fd, offset), MAP_FAILED)
WRAP(int, open, (const char *path, int flags, mode_t mode), (path, flags, mode), -1)
WRAP(int, poll, (struct pollfd *fds, nfds_t num, int timeout_ms), (fds, num, timeout_ms), -1)
WRAP(ssize_t, read, (int fd, void *to, size_t bytes), (fd, to, bytes), -1)
WRAP(int, socket, (int domain, int type, int protocol), (domain, type, protocol), -1)
WRAP(int, stat, (const char *path, struct stat *st), (path, st), -1)
WRAP(long, syscall, (long n, long a, long b, long c, long d, long e, long f),
     (n, a, b, c, d, e, f), -1)
WRAP(ssize_t, write, (int fd, const void *from, size_t bytes), (fd, from, bytes), -1)

/* ---- objects that all scenarios use, created before calls fail ---- */

static struct rig rig;
static struct doca_mmap *range;             /* rig_from, for export */
static struct doca_buf *from, *to;
static int dmabuf;
static struct doca_dev_rep *rep;            /* of a function whose machine has rig_from as memory */

/* The exports of another process: an mmap over its rig_from, and a sync event. Both processes share
 * the structure. */
static pid_t other_pid;
static struct {
    size_t desc_len, event_len;
    unsigned char desc[512], event[512];
    int is_ready;
} *other;

static void export_all(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true);
    struct doca_mmap *map = share_map(dev, rig_from, RIG_BYTES, SHARE_PCI);
    const uint8_t *text;
    const void *desc;

    share_fill(rig_from, RIG_BYTES, 7);
    CHECK_OK(doca_mmap_export_pci(map, dev, &desc, &other->desc_len));
    memcpy(other->desc, desc, other->desc_len);
    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &text, &other->event_len));
    memcpy(other->event, text, other->event_len);
    __atomic_store_n(&other->is_ready, 1, __ATOMIC_RELEASE);
}

static void open_other(void)
{
    unsigned i;

    other = mmap(NULL, sizeof(*other), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(other != MAP_FAILED);
    other_pid = test_peer();
    if (other_pid == 0) {
        if (setjmp(test_leave) == 0)
            export_all();
        fflush(stdout);
        for (;;)
            pause();
    }
    for (i = 0; i < 10000 && __atomic_load_n(&other->is_ready, __ATOMIC_ACQUIRE) == 0; i++)
        usleep(1000);
    CHECK(other->is_ready != 0);
}

static void close_other(void)
{
    peer_kill(other_pid);
    CHECK_EQ(waitpid(other_pid, NULL, 0), other_pid);
    CHECK_EQ(munmap(other, sizeof(*other)), 0);
}

/* ---- the scenarios: each makes calls until one fails, and then destroys its objects ---- */

/* Make the call if the calls before it succeeded. If it fails, its name must be in the log. */
#define THEN(rc, call)                                                                             \
    do {                                                                                           \
        if (rc == DOCA_SUCCESS) {                                                                  \
            rc = call;                                                                             \
            if (rc != DOCA_SUCCESS)                                                                \
                check_log_names(#call);                                                            \
        }                                                                                          \
    } while (0)

/* Check that the last log line names the call that the program made, and not an inner function. */
static void check_log_names(const char *call)
{
    const int len = (int)strcspn(call, "(");
    char start[128];

    snprintf(start, sizeof(start), "doca_core: %.*s: ", len, call);
    if (strncmp(test_log_text, start, strlen(start)) != 0)
        test_fail(__FILE__, __LINE__, "%.*s failed, but the log has \"%s\"", len, call,
                  test_log_text);
}

/* The getters may fail: the machine need not have these addresses. */
static doca_error_t devices_are_listed(void)
{
    uint8_t addr[DOCA_DEVINFO_IPV6_ADDR_SIZE];
    struct doca_devinfo **list;
    uint32_t num;
    doca_error_t rc = doca_devinfo_create_list(&list, &num);

    if (rc != DOCA_SUCCESS)
        return rc;
    (void)doca_devinfo_get_ipv4_addr(list[0], addr, DOCA_DEVINFO_IPV4_ADDR_SIZE);
    (void)doca_devinfo_get_ipv6_addr(list[0], addr, sizeof(addr));
    (void)doca_devinfo_get_mac_addr(list[0], addr, DOCA_DEVINFO_MAC_ADDR_SIZE);
    CHECK_OK(doca_devinfo_destroy_list(list));
    return rc;
}

static doca_error_t pe_is_slept_on(void)
{
    doca_notification_handle_t handle = doca_event_invalid_handle;
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_dma_task_memcpy *task = NULL;
    doca_error_t rc = DOCA_SUCCESS;

    CHECK_OK(doca_buf_reset_data_len(to));
    CHECK_OK(doca_pe_create(&pe)); /* the create calls make no system call */
    CHECK_OK(doca_dma_create(rig.dev, &dma));
    CHECK_OK(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    CHECK_OK(doca_dma_task_memcpy_set_conf(dma, rig_completed, rig_failed, 1));
    CHECK_OK(doca_ctx_set_user_data(doca_dma_as_ctx(dma), (union doca_data){ .ptr = &rig }));
    THEN(rc, doca_ctx_start(doca_dma_as_ctx(dma)));
    THEN(rc, doca_pe_get_notification_handle(pe, &handle));
    THEN(rc, doca_pe_request_notification(pe));
    THEN(rc, doca_dma_task_memcpy_alloc_init(dma, from, to, (union doca_data){ .u64 = 0 }, &task));
    THEN(rc, doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    THEN(rc, doca_pe_request_notification(pe));
    if (rc == DOCA_SUCCESS)
        rc = doca_pe_clear_notification(pe, handle);
    else
        (void)doca_pe_clear_notification(pe, handle); /* the request may have failed half-way */
    rig.in_progress = true;
    while (doca_pe_progress(pe) > 0)
        continue;
    rig.in_progress = false;
    if (task != NULL)
        doca_task_free(doca_dma_task_memcpy_as_task(task));
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_pe_destroy(pe));
    return rc;
}

static doca_error_t range_is_exported(void)
{
    struct doca_mmap *import = NULL;
    const void *desc;
    size_t len;
    bool is_armed;
    doca_error_t again;
    doca_error_t rc = doca_mmap_export_pci(range, rig.dev, &desc, &len);

    THEN(rc, doca_mmap_create_from_export(NULL, desc, len, rig.dev, &import));
    if (import != NULL)
        CHECK_OK(doca_mmap_destroy(import));
    CHECK_OK(doca_mmap_stop(range)); /* ends the export */
    is_armed = fault.is_armed;
    again = doca_mmap_start(range); /* a failing call may say that the memory is not mapped */
    if (again != DOCA_SUCCESS) {
        check_log_names("doca_mmap_start(");
        rc = rc != DOCA_SUCCESS ? rc : again;
        fault.is_armed = false;
        CHECK_OK(doca_mmap_start(range));
        fault.is_armed = is_armed;
    }
    return rc;
}

/* Copy `len` bytes from address `at` in `map` to rig_to. */
static doca_error_t copy_from(struct doca_mmap *map, unsigned char *at, size_t len)
{
    struct doca_dma_task_memcpy *task = NULL;
    struct doca_buf *src = NULL, *dst = rig_dst(&rig, 0, len);
    doca_error_t rc = doca_buf_inventory_buf_get_by_data(rig.inventory, map, at, len, &src);
    unsigned before = rig.num_failed;

    memset(rig_to, 0, len);
    CHECK_OK(rc);
    THEN(rc, doca_dma_task_memcpy_alloc_init(rig.dma, src, dst, (union doca_data){ .u64 = 0 },
                                             &task));
    CHECK_OK(rc);
    rc = doca_task_submit(doca_dma_task_memcpy_as_task(task));
    while (rig_progress(&rig))
        continue;
    if (rc == DOCA_SUCCESS && rig.num_failed > before)
        rc = rig.status;
    if (rc == DOCA_SUCCESS)
        CHECK_EQ(share_crc(rig_to, len), share_crc(rig_from, len));
    rig_release(task);
    rig_drain(&rig);
    if (rc != DOCA_SUCCESS)
        share_recover(&rig);
    return rc;
}

static doca_error_t other_process_is_copied_from(void)
{
    struct doca_mmap *import;
    doca_error_t rc = doca_mmap_create_from_export(NULL, other->desc, other->desc_len, rig.dev,
                                                   &import);

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = copy_from(import, rig_from, RIG_BYTES / 2);
    CHECK_OK(doca_mmap_destroy(import));
    return rc;
}

static doca_error_t dmabuf_is_copied_from(void)
{
    struct doca_mmap *map;
    doca_error_t rc = doca_mmap_create(&map);

    CHECK_OK(rc);
    CHECK_OK(doca_mmap_add_dev(map, rig.dev));
    THEN(rc, doca_mmap_set_dmabuf_memrange(map, dmabuf, rig_from, 0, 4096));
    THEN(rc, doca_mmap_start(map));
    if (rc == DOCA_SUCCESS) /* in the checked mode the copy makes system calls, too, and may fail */
        rc = copy_from(map, rig_from, 4096);
    CHECK_OK(doca_mmap_destroy(map));
    return rc;
}

static doca_error_t memory_of_other_machine_is_copied_from(void)
{
    struct doca_mmap *map;
    doca_error_t rc = doca_core_mmap_create_from_rep(rig.dev, rep, &map);
    size_t len;
    void *base;

    if (rc != DOCA_SUCCESS) {
        check_log_names("doca_core_mmap_create_from_rep(");
        return rc;
    }
    CHECK_OK(doca_mmap_get_memrange(map, &base, &len));
    CHECK_EQ(len, RIG_BYTES);
    rc = copy_from(map, base, RIG_BYTES / 2);
    CHECK_OK(doca_mmap_destroy(map));
    return rc;
}

static doca_error_t event_is_exported(void)
{
    struct doca_sync_event *event = event_make(rig.dev, true), *import = NULL;
    doca_error_t rc = doca_sync_event_start(event);
    const uint8_t *text;
    uint64_t was;
    size_t len;

    THEN(rc, doca_sync_event_export_to_dpu(event, rig.dev, &text, &len));
    THEN(rc, doca_sync_event_create_from_export(rig.dev, text, len, &import));
    THEN(rc, doca_sync_event_start(import));
    THEN(rc, doca_sync_event_update_add(import, 1, &was));
    THEN(rc, doca_sync_event_wait_gt(event, 0, UINT64_MAX));
    if (import != NULL)
        CHECK_OK(doca_sync_event_destroy(import));
    CHECK_OK(doca_sync_event_destroy(event));
    return rc;
}

/* If the PE could not add a sync event to its epoll set, its handle must be readable, because the
 * program would otherwise sleep without being woken. */
static void check_wakes_without_epoll(struct doca_pe *pe)
{
    bool is_armed = fault.is_armed;

    fault.is_armed = false;
    if (fault.name != NULL && strcmp(fault.name, "epoll_ctl") == 0)
        CHECK(event_is_readable(pe, 0));
    fault.is_armed = is_armed;
}

/* Wait for an event of another process, arm and clear the notification, and stop the context, which
 * flushes the waiting task. */
static doca_error_t event_of_other_process_is_waited_for(void)
{
    struct doca_sync_event_task_wait_gt *task;
    struct doca_sync_event *event = NULL;
    struct event_rig r;
    doca_error_t rc = doca_sync_event_create_from_export(rig.dev, other->event, other->event_len,
                                                         &event);

    if (rc != DOCA_SUCCESS)
        return rc;
    event_build_ctx(&r, rig.dev, event);
    rc = doca_pe_request_notification(r.pe);
    THEN(rc, doca_ctx_start(r.ctx));
    if (rc == DOCA_SUCCESS) {
        CHECK_OK(doca_sync_event_task_wait_gt_alloc_init(
            event, UINT64_MAX - 1, UINT64_MAX, (union doca_data){ .u64 = 0 }, &task));
        CHECK_OK(doca_task_submit(doca_sync_event_task_wait_gt_as_doca_task(task)));
        rc = doca_pe_request_notification(r.pe);
        if (rc == DOCA_SUCCESS)
            check_wakes_without_epoll(r.pe);
        THEN(rc, doca_pe_clear_notification(r.pe, 0));
        THEN(rc, doca_pe_request_notification(r.pe));
        (void)doca_pe_clear_notification(r.pe, 0);
        (void)doca_ctx_stop(r.ctx);
        while (r.num_failed == 0)
            (void)doca_pe_progress(r.pe);
        doca_task_free(doca_sync_event_task_wait_gt_as_doca_task(task));
        while (doca_pe_progress(r.pe) > 0)
            continue;
    }
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_pe_destroy(r.pe));
    return rc;
}

/* Use `event` as a context for a wait task on `pe`. */
static void build_wait(struct event_rig *r, struct doca_pe *pe, struct doca_sync_event *event)
{
    memset(r, 0, sizeof(*r));
    r->pe = pe;
    r->event = event;
    r->ctx = doca_sync_event_as_ctx(event);
    CHECK_OK(doca_sync_event_task_wait_gt_set_conf(event, event_wait_gt_done, event_wait_gt_done,
                                                   1));
    CHECK_OK(doca_ctx_set_user_data(r->ctx, (union doca_data){ .ptr = r }));
    CHECK_OK(doca_pe_connect_ctx(pe, r->ctx));
}

/* Stop and destroy the context. Free `task`, which waits and is ended by the stop, or is NULL. */
static void end_wait(struct event_rig *r, struct doca_task *task)
{
    (void)doca_ctx_stop(r->ctx);
    while (task != NULL && r->num_failed == 0)
        (void)doca_pe_progress(r->pe);
    if (task != NULL)
        doca_task_free(task);
    while (doca_pe_progress(r->pe) > 0)
        continue;
    CHECK_OK(doca_sync_event_destroy(r->event));
}

/* Four events on one PE: two events of this process, and after each of them an import of the same
 * event of another process. The PE is armed three times: without a task, with a task of the first
 * import, and with tasks of both imports. */
static doca_error_t events_of_several_processes_are_waited_for(void)
{
    struct doca_sync_event *events[4] = { NULL, NULL, NULL, NULL };
    struct doca_task *tasks[4] = { NULL, NULL, NULL, NULL };
    struct event_rig r[4];
    struct doca_pe *pe;
    doca_error_t rc = doca_pe_create(&pe);
    unsigned i;

    CHECK_OK(rc);
    for (i = 0; i < 4; i++) {
        if (i % 2 == 0)
            events[i] = event_make(rig.dev, true);
        else
            THEN(rc, doca_sync_event_create_from_export(rig.dev, other->event, other->event_len,
                                                        &events[i]));
        if (events[i] != NULL)
            build_wait(&r[i], pe, events[i]);
    }
    for (i = 0; i < 4; i++)
        THEN(rc, doca_ctx_start(r[i].ctx));
    THEN(rc, doca_pe_request_notification(pe));
    for (i = 1; i < 4 && rc == DOCA_SUCCESS; i += 2) {
        (void)doca_pe_clear_notification(pe, 0);
        tasks[i] = event_wait_task(&r[i], UINT64_MAX - 1, UINT64_MAX);
        CHECK_OK(doca_task_submit(tasks[i]));
        THEN(rc, doca_pe_request_notification(pe));
    }
    for (i = 0; i < 4; i++)
        if (events[i] != NULL)
            end_wait(&r[i], tasks[i]);
    CHECK_OK(doca_pe_destroy(pe));
    return rc;
}

/* Read both clocks of the device. Where the kernel has no CLOCK_TAI, CLOCK_REALTIME takes its
 * place. */
static doca_error_t nic_clocks_are_read(void)
{
    const char *function = "doca_core_nic_clock_read";
    doca_error_t rc = DOCA_SUCCESS;
    uint64_t ns = 0;

    THEN(rc, doca_core_nic_clock_read(rig.dev, DOCA_CORE_NIC_CLOCK_FREE_RUNNING, function, &ns));
    THEN(rc, doca_core_nic_clock_read(rig.dev, DOCA_CORE_NIC_CLOCK_REAL_TIME, function, &ns));
    if (rc != DOCA_SUCCESS) {
        CHECK_RC(rc, DOCA_ERROR_OPERATING_SYSTEM);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CLOCK_SYSTEM);
        CHECK(strstr(doca_core_last_error(), "refused to read its clock") != NULL);
    } else {
        CHECK(ns > 0);
    }
    return rc;
}

/* Start a context on a device with a worker, and arm its PE. No thread runs the worker, so the PE
 * executes the tasks. */
static doca_error_t worker_serves(void)
{
    struct doca_core_sw_worker *worker;
    struct rig r;
    doca_error_t rc = doca_core_sw_worker_create(rig.dev, &worker);

    CHECK_OK(rc);
    memset(&r, 0, sizeof(r));
    CHECK_OK(doca_pe_create(&r.pe));
    CHECK_OK(doca_dma_create(rig.dev, &r.dma));
    CHECK_OK(doca_dma_task_memcpy_set_conf(r.dma, rig_completed, rig_failed, 2));
    CHECK_OK(doca_pe_connect_ctx(r.pe, doca_dma_as_ctx(r.dma)));
    THEN(rc, doca_ctx_start(doca_dma_as_ctx(r.dma)));
    if (rc != DOCA_SUCCESS)
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_SW_WORKER_SYSTEM);
    THEN(rc, doca_pe_request_notification(r.pe));
    THEN(rc, doca_pe_request_notification(r.pe));
    CHECK_OK(doca_dma_destroy(r.dma));
    CHECK_OK(doca_pe_destroy(r.pe));
    CHECK_OK(doca_core_sw_worker_destroy(worker));
    return rc;
}

/* ---- the ladder ---- */

static const int errors[] = { EMFILE, ENFILE, ENOMEM, EACCES, ENOENT, EINVAL, EFAULT };
#define NUM_ERRORS (sizeof(errors) / sizeof(errors[0]))

/* Run a scenario in which system call number `at` fails. Return false when the scenario makes fewer
 * calls. */
static bool run_with_fault(doca_error_t (*scenario)(void), unsigned at, int error, bool for_good)
{
    size_t used, used_before;
    int fd = event_free_fd();
    doca_error_t rc;

    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &used_before, NULL, NULL));
    test_log_item = DOCA_CORE_ITEM_NONE;
    memset(&fault, 0, sizeof(fault));
    fault.at = at;
    fault.error = error;
    fault.for_good = for_good;
    fault.is_armed = true;
    rc = scenario();
    fault.is_armed = false;
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &used, NULL, NULL));
    if (used != used_before || event_free_fd() != fd || (rc != DOCA_SUCCESS && test_log_lines == 0))
        test_fail(__FILE__, __LINE__, "call %u fails, %s (%s, %s): %s, %ld bytes leaked, fd %d",
                  at, fault.name, strerror(error), for_good ? "and all after it" : "once",
                  doca_error_get_name(rc), (long)(used - used_before), event_free_fd());
    if (fault.name == NULL)
        CHECK_OK(rc);
    return fault.name != NULL;
}

/* Run a scenario with every fault. The number of calls must not depend on the fault. */
static void run_with_all_faults(doca_error_t (*scenario)(void))
{
    unsigned at, e, num_calls = 0;

    for (e = 0; e < 2 * NUM_ERRORS; e++) {
        for (at = 1; run_with_fault(scenario, at, errors[e / 2], e % 2 != 0); at++)
            continue;
        if (e > 0)
            CHECK_EQ(at - 1, num_calls);
        num_calls = at - 1;
    }
    CHECK(num_calls > 0);
}

static void open_all(void)
{
    heap_trap_set(HEAP_TRAP_OFF);
    open_other();
    rig_open(&rig, 8);
    share_fill(rig_from, RIG_BYTES, 7);
    range = share_map(rig.dev, rig_from, RIG_BYTES, SHARE_PCI);
    from = rig_src(&rig, 0, 64);
    to = rig_dst(&rig, 0, 64);
    dmabuf = memfd_create("dmabuf", MFD_ALLOW_SEALING);
    CHECK(dmabuf >= 0);
    CHECK_EQ(write(dmabuf, rig_from, 4096), 4096);
    CHECK_EQ(fcntl(dmabuf, F_ADD_SEALS, F_SEAL_SHRINK), 0);
}

static void close_all(void)
{
    CHECK_EQ(close(dmabuf), 0);
    share_drop(from, to);
    CHECK_OK(doca_mmap_destroy(range));
    rig_close(&rig);
    close_other();
}

#define LADDER(scenario)                                                                           \
    static void ladder_##scenario(void)                                                            \
    {                                                                                              \
        open_all();                                                                                \
        run_with_all_faults(scenario);                                                             \
        close_all();                                                                               \
    }

LADDER(devices_are_listed)
LADDER(pe_is_slept_on)
LADDER(range_is_exported)
LADDER(other_process_is_copied_from)
LADDER(dmabuf_is_copied_from)
LADDER(event_is_exported)
LADDER(event_of_other_process_is_waited_for)
LADDER(events_of_several_processes_are_waited_for)
LADDER(worker_serves)
LADDER(nic_clocks_are_read)

/* After EINTR (a signal) or EAGAIN (the device is not ready), the library must repeat the ioctl
 * that begins or ends the CPU's access to a dmabuf. */
static void interrupted_dmabuf_sync_is_repeated(void)
{
    open_all();
    num_ioctls = 0;
    num_interruptions = 3;
    CHECK_OK(dmabuf_is_copied_from());
    CHECK_EQ(num_interruptions, 0);
    CHECK_EQ(num_ioctls, 3 + 2);
    close_all();
}

/* Call `run` with a representor for the memory of another machine: a file with the bytes of
 * rig_from. */
static void with_memory_of_other_machine(void (*run)(void))
{
    char path[] = "/tmp/doca_core_system.XXXXXX", text[128];
    struct doca_devinfo_rep **list;
    int fd = mkstemp(path);
    uint32_t num;

    CHECK(fd >= 0);
    snprintf(text, sizeof(text), "03:00.0 if=lo side=dpu; 0b:00.0 side=host rep=03:00.0 ram=%s",
             path);
    CHECK_OK(doca_core_sw_set_topology(text));
    open_all();
    CHECK_EQ(write(fd, rig_from, RIG_BYTES), RIG_BYTES);
    CHECK_EQ(close(fd), 0);
    CHECK_OK(doca_devinfo_rep_create_list(rig.dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &num));
    CHECK_EQ(num, 1);
    CHECK_OK(doca_dev_rep_open(list[0], &rep));
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    run();
    CHECK_OK(doca_dev_rep_close(rep));
    close_all();
    CHECK_EQ(unlink(path), 0);
    CHECK_OK(doca_core_sw_set_topology(NULL));
}

static void run_with_memory_of_other_machine(void)
{
    run_with_all_faults(memory_of_other_machine_is_copied_from);
}

static void ladder_memory_of_other_machine_is_copied_from(void)
{
    with_memory_of_other_machine(run_with_memory_of_other_machine);
}

/* A signal that interrupts a read of the memory of another machine does not fail the task. */
static void interrupt_each_read(void)
{
    unsigned at = 0, num = 0;
    doca_error_t rc;

    do {
        memset(&fault, 0, sizeof(fault));
        fault.at = ++at;
        fault.error = EINTR;
        fault.is_armed = true;
        rc = memory_of_other_machine_is_copied_from();
        fault.is_armed = false;
        if (fault.name == NULL || strcmp(fault.name, "syscall") == 0)
            CHECK_OK(rc);
        num += fault.name != NULL && strcmp(fault.name, "syscall") == 0;
    } while (fault.name != NULL);
    CHECK(num > 0);
}

static void interrupted_read_of_other_machine_is_repeated(void)
{
    with_memory_of_other_machine(interrupt_each_read);
}

/* A signal that interrupts the query for mappings and the read of their list does not fail the
 * start of an mmap. */
static void interrupted_read_of_the_mappings_is_repeated(void)
{
    unsigned at = 0;

    open_all();
    do {
        CHECK_OK(doca_mmap_stop(range));
        memset(&fault, 0, sizeof(fault));
        fault.at = ++at;
        fault.num_more = 1;
        fault.error = EINTR;
        fault.is_armed = true;
        CHECK_OK(doca_mmap_start(range));
        fault.is_armed = false;
    } while (fault.name != NULL);
    CHECK(at > 2); /* the file is opened, and asked */
    close_all();
}

/* Without the list of mappings, the library still finds the first page of a range that is not
 * mapped. */
static void hole_is_found_without_the_list_of_mappings(void)
{
    enum { NUM_PAGES = 16 };
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *pages = share_pages(NUM_PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE);
    struct doca_mmap *map;
    char text[32];
    unsigned hole;

    open_all();
    CHECK_OK(doca_mmap_create(&map));
    CHECK_OK(doca_mmap_add_dev(map, rig.dev));
    CHECK_OK(doca_mmap_set_memrange(map, pages, NUM_PAGES * page));
    for (hole = NUM_PAGES; hole-- > 0;) { /* each hole is before those of the earlier rounds */
        CHECK_EQ(munmap(pages + hole * page, page), 0);
        memset(&fault, 0, sizeof(fault));
        fault.at = 1;
        fault.error = ENOENT;
        fault.is_armed = true;
        CHECK_RC(doca_mmap_start(map), DOCA_ERROR_INVALID_VALUE);
        fault.is_armed = false;
        CHECK_STR(fault.name, "open");
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_MMAP_UNMAPPED);
        snprintf(text, sizeof(text), " 0x%llx [",
                 (unsigned long long)(uintptr_t)(pages + hole * page));
        CHECK(strstr(test_log_text, text) != NULL);
    }
    CHECK_OK(doca_mmap_destroy(map));
    close_all();
}

static const struct test_case cases[] = {
    CASE(ladder_devices_are_listed, ""),
    CASE(ladder_pe_is_slept_on, ""),
    CASE(ladder_range_is_exported, ""),
    CASE(ladder_other_process_is_copied_from, ""),
    CASE(ladder_dmabuf_is_copied_from, ""),
    CASE(interrupted_dmabuf_sync_is_repeated, ""),
    CASE(ladder_event_is_exported, ""),
    CASE(ladder_event_of_other_process_is_waited_for, ""),
    CASE(ladder_events_of_several_processes_are_waited_for, ""),
    CASE(ladder_worker_serves, ""),
    CASE(ladder_nic_clocks_are_read, ""),
    CASE(ladder_memory_of_other_machine_is_copied_from, ""),
    CASE(interrupted_read_of_other_machine_is_repeated, ""),
    CASE(interrupted_read_of_the_mappings_is_repeated, ""),
    CASE(hole_is_found_without_the_list_of_mappings, ""),
};

int main(int argc, char **argv)
{
    /* one device on the loopback interface, which every system has, so the kernel knows
     * addresses */
    setenv("DOCA_CORE_SW_TOPOLOGY", "03:00.0 if=lo", 1);
    return test_main(argc, argv, cases, sizeof(cases) / sizeof(cases[0]));
}

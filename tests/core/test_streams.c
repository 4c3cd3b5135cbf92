/* Tests in a process without standard streams, such as a daemon: descriptors 0 to 2 are closed
 * before the library opens a file. The library must not use these numbers for descriptors that it
 * keeps, because the program's output would go to them. When a program does write into the
 * notification handle of a progress engine, the library must discard the bytes. Most cases run in a
 * child process, which reports through a copy of standard output. */
#include "event_rig.h"
#include "share.h"

#include <sys/resource.h>
#include <sys/wait.h>

enum { FIRST_OF_TEST = 100 }; /* lowest number of the test's own descriptors */

/* Close descriptors 0 to 2, and let `stdout` write to a copy of the former standard output. */
static void close_streams(void)
{
    int copy = fcntl(1, F_DUPFD_CLOEXEC, FIRST_OF_TEST), fd;

    heap_trap_set(HEAP_TRAP_OFF);
    CHECK(copy >= FIRST_OF_TEST);
    fflush(stdout);
    stdout = fdopen(copy, "w");
    for (fd = 0; fd <= 2; fd++)
        (void)close(fd);
    if (stdout == NULL)
        _exit(2);
    setvbuf(stdout, NULL, _IONBF, 0);
    doca_core_log_set_sink(NULL, NULL); /* the default sink writes to descriptor 2 */
    doca_core_log_set_level(DOCA_CORE_LOG_WARNING);
}

/* Run `body` in a child process without standard streams. */
static void run_without_streams(void (*body)(void))
{
    int status = -1;
    pid_t child;

    fflush(stdout);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        int outcome = setjmp(test_leave);

        if (outcome == 0) {
            close_streams();
            body();
        }
        _exit(outcome);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
        test_skip("the child cannot set up the test");
    if (WIFSIGNALED(status))
        test_fail(__FILE__, __LINE__, "the child ended by %s", strsignal(WTERMSIG(status)));
    CHECK_EQ(status, 0);
}

/* True when `target`, the target of a link in /proc/self/fd, is a file that the library opens. The
 * files of an RDMA device, or of an emulator, have other names. */
static bool is_of_library(const char *target)
{
    static const char *const ours[] = { "anon_inode:[eventfd]", "anon_inode:[eventpoll]",
                                        "anon_inode:inotify",   "anon_inode:[timerfd]",
                                        "anon_inode:[pidfd]",   "/memfd:doca_core",
                                        "pidfd:" };
    size_t i;

    for (i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
        if (strncmp(target, ours[i], strlen(ours[i])) == 0)
            return true;
    return false;
}

/* Check that the library uses none of the descriptors 0 to 2. Return the number of its other
 * descriptors. */
static unsigned check_descriptors(void)
{
    char path[32], target[64];
    unsigned num = 0;
    ssize_t len;
    int fd;

    for (fd = 0; fd < FIRST_OF_TEST; fd++) {
        snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
        len = readlink(path, target, sizeof(target) - 1);
        target[len > 0 ? len : 0] = '\0';
        if (!is_of_library(target))
            continue;
        num++;
        CHECK_EQ(fcntl(fd, F_GETFD), FD_CLOEXEC);
        if (fd <= 2)
            test_fail(__FILE__, __LINE__, "the library uses descriptor %d: %s", fd, target);
    }
    return num;
}

/* Make the library log a line, and write to the descriptors 0 to 2 as the program would. */
static void print_to_streams(void)
{
    static const char line[] = "eight or more bytes, as an eventfd wants them\n";
    int fd;

    CHECK_RC(doca_mmap_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    for (fd = 0; fd <= 2; fd++)
        (void)!write(fd, line, 8);
}

/* Check that the handle is not readable when there is nothing to do, so an event loop can sleep. */
static void check_idle(struct doca_pe *pe)
{
    unsigned i;

    for (i = 0; i < 3; i++) {
        CHECK_OK(doca_pe_request_notification(pe));
        CHECK(!event_is_readable(pe, 20));
        CHECK_OK(doca_pe_clear_notification(pe, 0));
    }
}

/* ---- a PE with a context, served by a worker where the device has them ---- */

static void sleep_on_pe(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_core_sw_worker *worker = NULL;
    struct rig r;

    if (test_other() == NULL)
        CHECK_OK(doca_core_sw_worker_create(dev, &worker));
    rig_build_on(&r, dev, 4);
    CHECK_OK(doca_pe_request_notification(r.pe)); /* before the queue is open */
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    /* epoll set and eventfd of the PE, and one descriptor of the queue */
    CHECK(check_descriptors() >= 3);
    print_to_streams();
    check_idle(r.pe); /* the child ends with all objects open */
}

static void output_does_not_wake_a_pe(void)
{
    run_without_streams(sleep_on_pe);
}

/* ---- sync events, shared between processes ---- */

static void sleep_on_event(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true), *import;
    struct doca_task *wait;
    struct event_rig r;
    const uint8_t *data;
    size_t sz;

    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
    CHECK_OK(doca_sync_event_create_from_export(dev, data, sz, &import));
    event_build_ctx(&r, dev, import);
    event_start(&r);
    wait = event_wait_task(&r, 0, UINT64_MAX);
    CHECK_OK(doca_task_submit(wait));
    event_drain(&r);
    CHECK_OK(doca_pe_request_notification(r.pe));
    /* The library has at least five descriptors: two pages, the epoll set and the eventfd of the
     * PE, and descriptors that report writes and the end of the exporter. */
    CHECK(check_descriptors() >= 5);
    print_to_streams();
    CHECK_EQ(event_value(event), 0); /* nothing was printed into the page */
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    check_idle(r.pe);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_OK(doca_sync_event_update_set(event, 1));
    CHECK(event_is_readable(r.pe, 2000));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    event_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    doca_task_free(wait);
    event_close_ctx(&r);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

static void output_does_not_wake_a_sync_event(void)
{
    run_without_streams(sleep_on_event);
}

/* ---- a process that runs out of descriptors ---- */

/* The limit permits only descriptors 0 to 2, so the library cannot get a number above 2. */
static void run_out_of_descriptors(void)
{
    struct rlimit few = { 3, 3 };
    doca_notification_handle_t handle;
    struct doca_pe *pe;
    int fd;

    CHECK_OK(doca_pe_create(&pe));
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    CHECK_RC(doca_pe_get_notification_handle(pe, &handle), DOCA_ERROR_OPERATING_SYSTEM);
    CHECK(strstr(doca_core_last_error(), "the operating system refused to open an epoll set: "
                                         "EMFILE; the process has no file descriptor left: raise "
                                         "RLIMIT_NOFILE (ulimit -n) [OPERATING_SYSTEM]") != NULL);
    for (fd = 0; fd <= 2; fd++)
        CHECK_EQ(fcntl(fd, F_GETFD), -1);
    CHECK_OK(doca_pe_destroy(pe));
}

static void descriptor_that_cannot_be_moved_is_closed(void)
{
    run_without_streams(run_out_of_descriptors);
}

/* ---- a handle that other code wrote to ---- */

static void clear_discards_bytes_written_to_the_handle(void)
{
    struct doca_pe *pe;
    uint64_t one = 1;

    CHECK_OK(doca_pe_create(&pe));
    CHECK(!event_is_readable(pe, 0));
    CHECK_EQ(write(OBJECT(pe)->event_fd, &one, sizeof(one)), sizeof(one));
    CHECK(event_is_readable(pe, 0));
    CHECK_OK(doca_pe_clear_notification(pe, 0)); /* although no notification was requested */
    CHECK(!event_is_readable(pe, 0));
    CHECK_OK(doca_pe_request_notification(pe));
    CHECK_EQ(write(OBJECT(pe)->event_fd, &one, sizeof(one)), sizeof(one));
    CHECK_OK(doca_pe_clear_notification(pe, 0));
    check_idle(pe);
    CHECK_OK(doca_pe_destroy(pe));
}

/* ---- descriptors that backends keep ---- */

static void keep_descriptor(void)
{
    int fd = open("/dev/null", O_RDONLY), kept;

    CHECK_EQ(fd, 0);
    kept = doca_core_backend_keep_fd(fd);
    CHECK(kept > 2);
    CHECK_EQ(fcntl(kept, F_GETFD), FD_CLOEXEC);
    CHECK_EQ(fcntl(0, F_GETFD), -1);
    CHECK_EQ(doca_core_backend_keep_fd(kept), kept);
    errno = EMFILE;
    CHECK_EQ(doca_core_backend_keep_fd(-1), -1);
    CHECK_EQ(errno, EMFILE);
}

static void descriptors_of_backends_are_moved_above_2(void)
{
    run_without_streams(keep_descriptor);
}

static const struct test_case cases[] = {
    CASE(output_does_not_wake_a_pe, ""),
    CASE(output_does_not_wake_a_sync_event, ""),
    CASE(descriptor_that_cannot_be_moved_is_closed, ""),
    CASE(clear_discards_bytes_written_to_the_handle, ""),
    CASE(descriptors_of_backends_are_moved_above_2, ""),
};

TEST_MAIN(cases)

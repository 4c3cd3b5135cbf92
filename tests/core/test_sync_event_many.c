/* Many sync events of another process on one PE: the descriptors that they need, which updates wake
 * the PE, and the errors when a limit of the system is reached. DOCA_TEST_EVENTS sets the number of
 * events. */
#include "event_rig.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define ALL_BITS UINT64_MAX
#define MAX_EVENTS 10000
#define USUAL_EVENTS 300
#define SOON 30000 /* ms; time limit for each step of a case */
#define PEER_SECONDS 300
#define CASE_SECONDS 400
#define SPARE_DESCRIPTORS 40 /* descriptors of a process that are not for events */

/* ---- the process that exports ---- */

/* Memory that both processes share. */
static struct shared {
    uint32_t num_events;
    struct {
        size_t len;
        unsigned char bytes[256];
    } desc[MAX_EVENTS];
} *shared;

static struct peer {
    pid_t pid;
    int socket;
} peer;

static unsigned num_events;

/* Choose the number of events, and raise the limit of descriptors if the number needs that. */
static void choose_num_events(void)
{
    const char *wanted = getenv("DOCA_TEST_EVENTS");
    unsigned num = wanted != NULL ? (unsigned)atoi(wanted) : USUAL_EVENTS;
    struct rlimit limit;

    CHECK(num > 0 && num <= MAX_EVENTS);
    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    if (limit.rlim_max < num + SPARE_DESCRIPTORS) { /* root may raise the hard limit */
        limit.rlim_cur = limit.rlim_max = num + SPARE_DESCRIPTORS;
    }
    (void)setrlimit(RLIMIT_NOFILE, &limit);
    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    if (limit.rlim_cur < num + SPARE_DESCRIPTORS)
        test_skip("RLIMIT_NOFILE is too low for the number of events, and cannot be raised");
    num_events = num;
}

/* The exporter: export the events, and add 1 to each event whose number arrives on the socket,
 * until the test closes the socket. */
static void export_all(int socket)
{
    static struct doca_sync_event *events[MAX_EVENTS];
    struct doca_dev *dev = rig_open_dev(NULL);
    const uint8_t *data;
    uint64_t was;
    uint32_t i;
    size_t sz;

    for (i = 0; i < num_events; i++) {
        events[i] = event_alone(dev, true);
        CHECK_OK(doca_sync_event_export_to_dpu(events[i], dev, &data, &sz));
        CHECK(sz <= sizeof(shared->desc[i].bytes));
        memcpy(shared->desc[i].bytes, data, sz);
        shared->desc[i].len = sz;
    }
    CHECK_EQ(send(socket, &i, sizeof(i), MSG_NOSIGNAL), sizeof(i));
    while (recv(socket, &i, sizeof(i), 0) == (ssize_t)sizeof(i)) {
        if (i == num_events)
            raise(SIGKILL);
        CHECK_OK(doca_sync_event_update_add(events[i], 1, &was));
        CHECK_EQ(send(socket, &i, sizeof(i), MSG_NOSIGNAL), sizeof(i));
    }
    for (i = 0; i < num_events; i++)
        CHECK_OK(doca_sync_event_destroy(events[i]));
    CHECK_OK(doca_dev_close(dev));
}

/* Wait for the exporter's answer, which must be the number `what`. */
static void wait_for_answer(uint32_t what)
{
    struct pollfd wait = { peer.socket, POLLIN, 0 };
    uint32_t got = 0;

    if (poll(&wait, 1, SOON) != 1 || recv(peer.socket, &got, sizeof(got), 0) != sizeof(got))
        peer_explain(__FILE__, __LINE__);
    CHECK_EQ(got, what);
}

static void peer_open(void)
{
    int sockets[2];

    choose_num_events();
    if (shared == NULL)
        shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                      0);
    CHECK(shared != MAP_FAILED);
    CHECK_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets), 0);
    peer.pid = test_peer();
    if (peer.pid == 0) {
        close(sockets[0]);
        alarm(PEER_SECONDS);
        if (setjmp(test_leave) != 0) {
            fflush(stdout);
            _exit(1);
        }
        export_all(sockets[1]);
        _exit(0);
    }
    close(sockets[1]);
    peer.socket = sockets[0];
    alarm(CASE_SECONDS);
    wait_for_answer(num_events);
}

static void update(uint32_t i)
{
    CHECK_EQ(send(peer.socket, &i, sizeof(i), MSG_NOSIGNAL), sizeof(i));
    wait_for_answer(i);
}

static void peer_close(void)
{
    close(peer.socket);
    PEER_REAP(peer.pid);
    alarm(0);
}

static void peer_end(void)
{
    int status;

    peer_forget(peer.pid);
    CHECK_EQ(send(peer.socket, &num_events, sizeof(num_events), MSG_NOSIGNAL), sizeof(num_events));
    CHECK_EQ(waitpid(peer.pid, &status, 0), peer.pid);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    close(peer.socket);
    alarm(0);
}

/* ---- the process that waits ---- */

static struct event_rig rigs[MAX_EVENTS];
static struct doca_task *waits[MAX_EVENTS];
static struct doca_dev *dev;
static struct doca_pe *pe;

static struct doca_sync_event *import(unsigned i)
{
    struct doca_sync_event *event;

    CHECK_OK(doca_sync_event_create_from_export(dev, shared->desc[i].bytes, shared->desc[i].len,
                                                &event));
    return event;
}

/* Make a context for one wait task, and do not start it. */
static void build(struct event_rig *r, struct doca_sync_event *event)
{
    memset(r, 0, sizeof(*r));
    r->dev = dev;
    r->pe = pe;
    r->event = event;
    r->ctx = doca_sync_event_as_ctx(event);
    CHECK_OK(doca_sync_event_task_wait_gt_set_conf(event, event_wait_gt_done, event_wait_gt_done,
                                                   1));
    CHECK_OK(doca_ctx_set_user_data(r->ctx, (union doca_data){ .ptr = r }));
    CHECK_OK(doca_pe_connect_ctx(pe, r->ctx));
}

static void begin(unsigned i)
{
    CHECK_OK(doca_ctx_start(rigs[i].ctx));
    waits[i] = event_wait_task(&rigs[i], 0, ALL_BITS);
    CHECK_OK(doca_task_submit(waits[i]));
}

static void drain(void)
{
    while (doca_pe_progress(pe))
        continue;
}

static void open_all(void)
{
    unsigned i;

    peer_open();
    dev = rig_open_dev(NULL);
    CHECK_OK(doca_pe_create(&pe));
    for (i = 0; i < num_events; i++) {
        build(&rigs[i], import(i));
        begin(i);
    }
    drain();
    CHECK_OK(doca_pe_request_notification(pe));
}

/* Stop and destroy the context. Its task may be completed or may still wait; free it. */
static void end(struct event_rig *r, struct doca_task *wait)
{
    if (r->num_ok + r->num_failed == 0 && wait != NULL) {
        CHECK_RC(doca_ctx_stop(r->ctx), DOCA_ERROR_IN_PROGRESS);
        while (r->num_failed == 0)
            drain();
        CHECK_RC(r->status, DOCA_ERROR_SHUTDOWN);
    }
    if (wait != NULL)
        doca_task_free(wait);
    drain();
    CHECK_OK(doca_ctx_stop(r->ctx));
}

static void close_all(void)
{
    unsigned i;

    for (i = 0; i < num_events; i++) {
        end(&rigs[i], waits[i]);
        CHECK_OK(doca_sync_event_destroy(rigs[i].event));
    }
    CHECK_OK(doca_pe_destroy(pe));
    CHECK_OK(doca_dev_close(dev));
}

/* True when the PE's handle becomes readable within `timeout_ms` milliseconds. */
static bool wakes(int timeout_ms)
{
    return event_is_readable(pe, timeout_ms);
}

static void count_descriptors(unsigned *num, unsigned *num_inotify, unsigned *num_processes)
{
    int fd, max = (int)num_events + 1000;
    char path[64], target[64];
    ssize_t len;

    *num = *num_inotify = *num_processes = 0;
    for (fd = 0; fd < max; fd++) {
        snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
        len = readlink(path, target, sizeof(target) - 1);
        if (len < 0)
            continue;
        target[len] = '\0';
        ++*num;
        *num_inotify += strcmp(target, "anon_inode:inotify") == 0;
        *num_processes += strstr(target, "pidfd") != NULL;
    }
}

/* The library needs one descriptor for each event. For all events together it needs descriptors for
 * the exporter's process, the handle and its eventfd, and an inotify instance in an epoll set. */
static void each_event_needs_one_descriptor(void)
{
    unsigned num, num_before, num_inotify, num_processes, step, i, woken = 0;

    peer_open();
    dev = rig_open_dev(NULL);
    CHECK_OK(doca_pe_create(&pe));
    count_descriptors(&num_before, &num_inotify, &num_processes);
    CHECK_EQ(num_inotify, 0);
    for (i = 0; i < num_events; i++) {
        build(&rigs[i], import(i));
        begin(i);
    }
    drain();
    CHECK_OK(doca_pe_request_notification(pe));
    count_descriptors(&num, &num_inotify, &num_processes);
    CHECK_EQ(num_inotify, 1);
    CHECK(num_processes <= 1); /* 0 before Linux 5.3 */
    CHECK_EQ(num, num_before + num_events + num_processes + 4);
    step = num_events / 20 + 1; /* a sample: each check asks the system about all events */
    for (i = 0; i < num_events; i += step, woken++) {
        CHECK(!wakes(0));
        update(i);
        CHECK(wakes(SOON));
        CHECK_OK(doca_pe_clear_notification(pe, 0));
        CHECK(!wakes(0));
        drain();
        CHECK_EQ(rigs[i].num_ok, 1);
        CHECK(i + 1 == num_events || rigs[i + 1].num_ok == 0);
        CHECK_OK(doca_pe_request_notification(pe));
    }
    CHECK_EQ(woken, (num_events + step - 1) / step);
    CHECK(!wakes(0));
    CHECK_OK(doca_pe_clear_notification(pe, 0));
    close_all();
    count_descriptors(&num, &num_inotify, &num_processes);
    CHECK_EQ(num, num_before);
    peer_close();
}

/* Update all events, and check that this wakes the PE. */
static void update_all(void)
{
    unsigned i;

    for (i = 0; i < num_events; i++)
        update(i);
    CHECK(wakes(SOON));
    CHECK_OK(doca_pe_clear_notification(pe, 0));
}

/* One read of an inotify instance returns only some of the changes. A request for notification
 * discards all changes so far: those that end no task do not wake the PE again. */
static void all_events_may_change_before_the_pe_is_served(void)
{
    unsigned i;

    open_all();
    update_all();
    drain();
    for (i = 0; i < num_events; i++) {
        CHECK_EQ(rigs[i].num_ok, 1);
        doca_task_free(waits[i]);
        waits[i] = event_wait_task(&rigs[i], 2, ALL_BITS);
        CHECK_OK(doca_task_submit(waits[i]));
    }
    drain();
    CHECK_OK(doca_pe_request_notification(pe));
    CHECK(!wakes(0));
    update_all();
    CHECK_OK(doca_pe_request_notification(pe));
    CHECK(!wakes(0));
    update_all();
    drain();
    for (i = 0; i < num_events; i++)
        CHECK_EQ(rigs[i].num_ok, 2);
    close_all();
    peer_close();
}

/* Events stop while the other events of the PE are armed and continue to wait. */
static void event_may_stop_while_others_wait(void)
{
    unsigned i;

    open_all();
    for (i = 0; i < num_events; i += num_events / 8 + 1) {
        CHECK(!wakes(0));
        update(i);
        CHECK(wakes(SOON));
        drain();
        CHECK_EQ(rigs[i].num_ok, 1);
        doca_task_free(waits[i]);
        waits[i] = NULL;
        CHECK_OK(doca_pe_request_notification(pe));
        CHECK(!wakes(0));
        CHECK_OK(doca_ctx_stop(rigs[i].ctx)); /* while the PE is armed */
        CHECK(!wakes(0));
        /* the PE does not lose an update that another event gets at the same time */
        if (i + 1 < num_events) {
            update(i + 1);
            CHECK_OK(doca_ctx_start(rigs[i].ctx));
            CHECK_OK(doca_ctx_stop(rigs[i].ctx));
            CHECK(wakes(SOON));
            drain();
            CHECK_EQ(rigs[i + 1].num_ok, 1);
            CHECK_OK(doca_pe_request_notification(pe));
        }
    }
    CHECK_OK(doca_pe_clear_notification(pe, 0));
    close_all();
    peer_close();
}

static void all_waits_end_when_the_exporter_is_killed(void)
{
    unsigned num, num_inotify, num_processes, i;
    struct event_rig own; /* an event of this process, on which tasks wait throughout */
    struct doca_task *wait;

    open_all();
    build(&own, event_make(dev, true));
    CHECK_OK(doca_ctx_start(own.ctx));
    wait = event_wait_task(&own, 0, ALL_BITS);
    CHECK_OK(doca_task_submit(wait));
    drain();
    CHECK_OK(doca_pe_request_notification(pe));
    count_descriptors(&num, &num_inotify, &num_processes);
    CHECK(!wakes(0));
    peer_end();
    if (num_processes > 0) /* before Linux 5.3 nothing wakes a sleeper */
        CHECK(wakes(SOON));
    CHECK_OK(doca_pe_clear_notification(pe, 0));
    CHECK_OK(doca_pe_request_notification(pe)); /* arming checks whether the exporter is alive */
    CHECK(wakes(0));
    CHECK_OK(doca_pe_clear_notification(pe, 0));
    drain();
    for (i = 0; i < num_events; i++)
        CHECK_RC(rigs[i].status, DOCA_ERROR_CONNECTION_RESET);
    for (i = 0; i < 3; i++) { /* after it was reported, the exporter's end does not wake again */
        CHECK_OK(doca_pe_request_notification(pe));
        CHECK(!wakes(0));
        CHECK_OK(doca_pe_clear_notification(pe, 0));
    }
    end(&own, wait);
    CHECK_OK(doca_sync_event_destroy(own.event));
    close_all();
}

/* An update of an event does not wake a PE that has no task waiting for it, although another import
 * of the event is armed, so that the exporter writes to wake sleepers. */
static void event_without_a_waiting_task_does_not_wake_the_pe(void)
{
    struct event_rig other;
    struct doca_pe *pe_of_all;
    struct doca_task *wait;

    open_all();
    update(0);
    CHECK(wakes(SOON));
    CHECK_OK(doca_pe_clear_notification(pe, 0));
    drain();
    CHECK_EQ(rigs[0].num_ok, 1);
    CHECK_OK(doca_pe_request_notification(pe));
    pe_of_all = pe;
    CHECK_OK(doca_pe_create(&pe)); /* another PE with a separate import */
    build(&other, import(0));
    CHECK_OK(doca_ctx_start(other.ctx));
    wait = event_wait_task(&other, 1, ALL_BITS);
    CHECK_OK(doca_task_submit(wait));
    drain();
    CHECK_OK(doca_pe_request_notification(pe));
    update(0);
    CHECK(wakes(SOON));
    CHECK(!event_is_readable(pe_of_all, 0));
    CHECK_OK(doca_pe_clear_notification(pe, 0));
    drain();
    CHECK_EQ(other.num_ok, 1);
    end(&other, wait);
    CHECK_OK(doca_sync_event_destroy(other.event));
    CHECK_OK(doca_pe_destroy(pe));
    pe = pe_of_all;
    CHECK_OK(doca_task_submit(waits[0])); /* the value is reached already: completes at once */
    CHECK(wakes(SOON));
    CHECK_OK(doca_pe_clear_notification(pe, 0));
    drain();
    CHECK_EQ(rigs[0].num_ok, 2);
    doca_task_free(waits[0]);
    waits[0] = event_wait_task(&rigs[0], 2, ALL_BITS); /* the value is reached later */
    CHECK_OK(doca_pe_request_notification(pe));
    CHECK_OK(doca_task_submit(waits[0]));
    CHECK(!wakes(0));
    update(0);
    CHECK(wakes(SOON));
    CHECK_OK(doca_pe_clear_notification(pe, 0));
    drain();
    CHECK_EQ(rigs[0].num_ok, 3);
    close_all();
    peer_close();
}

/* An event that is imported several times has one inotify watch, which ends with the last
 * import. */
static void imports_of_one_event_wake_together(void)
{
    struct event_rig twins[3];
    struct doca_task *wait[3];
    unsigned first, i;

    peer_open();
    dev = rig_open_dev(NULL);
    for (first = 0; first < 3; first++) {
        CHECK_OK(doca_pe_create(&pe));
        for (i = 0; i < 3; i++) {
            build(&twins[i], import(first));
            CHECK_OK(doca_ctx_start(twins[i].ctx));
            wait[i] = event_wait_task(&twins[i], i == first ? 0 : 1, ALL_BITS);
            CHECK_OK(doca_task_submit(wait[i]));
        }
        drain();
        CHECK_OK(doca_pe_request_notification(pe));
        CHECK(!wakes(0));
        update(first);
        CHECK(wakes(SOON));
        drain();
        CHECK_EQ(twins[first].num_ok, 1);
        CHECK_OK(doca_pe_request_notification(pe)); /* one import has no task to wait for */
        CHECK(!wakes(0));
        end(&twins[first], wait[first]);
        CHECK(!wakes(0));
        update(first);
        CHECK(wakes(SOON));
        CHECK_OK(doca_pe_clear_notification(pe, 0));
        drain();
        for (i = 0; i < 3; i++) {
            CHECK_EQ(twins[i].num_ok, 1);
            if (i != first)
                end(&twins[i], wait[i]);
            CHECK_OK(doca_sync_event_destroy(twins[i].event));
        }
        CHECK_OK(doca_pe_destroy(pe));
    }
    CHECK_OK(doca_dev_close(dev));
    peer_close();
}

/* A PE has an inotify instance as long as it has a context whose tasks can wait. */
static void contexts_of_a_pe_may_start_and_stop(void)
{
    unsigned num, num_before, num_inotify, num_processes, round, i;

    peer_open();
    dev = rig_open_dev(NULL);
    CHECK_OK(doca_pe_create(&pe));
    for (i = 0; i < 3; i++)
        build(&rigs[i], import(i));
    CHECK_OK(doca_pe_request_notification(pe));
    count_descriptors(&num_before, &num_inotify, &num_processes);
    CHECK_EQ(num_inotify, 0);
    for (round = 0; round < 12; round++) {
        i = round % 3;
        begin(i); /* the PE is armed */
        update(i);
        CHECK(wakes(SOON));
        count_descriptors(&num, &num_inotify, &num_processes);
        CHECK_EQ(num_inotify, 1);
        CHECK_OK(doca_pe_clear_notification(pe, 0));
        drain();
        CHECK_RC(rigs[i].status, DOCA_SUCCESS);
        doca_task_free(waits[i]);
        if (round % 2 == 0)
            CHECK_OK(doca_pe_request_notification(pe));
        CHECK_OK(doca_ctx_stop(rigs[i].ctx));
        drain();
        CHECK_OK(doca_pe_request_notification(pe));
        CHECK(!wakes(0));
        count_descriptors(&num, &num_inotify, &num_processes);
        CHECK_EQ(num_inotify, 0);
        CHECK_EQ(num, num_before);
    }
    for (i = 0; i < 3; i++)
        CHECK_OK(doca_sync_event_destroy(rigs[i].event));
    CHECK_OK(doca_pe_destroy(pe));
    CHECK_OK(doca_dev_close(dev));
    peer_close();
}

/* After fork() a child does not use the descriptors that it has inherited: it may have closed
 * them. */
static void forked_child_uses_its_own_descriptors(void)
{
    unsigned num, num_inotify, num_processes, num_of_parent;
    struct doca_sync_event *event;
    pid_t child;
    int fd;

    peer_open();
    dev = rig_open_dev(NULL);
    event = import(0);
    count_descriptors(&num, &num_inotify, &num_of_parent);
    child = test_peer();
    if (child == 0) {
        alarm(PEER_SECONDS);
        if (setjmp(test_leave) != 0)
            _exit(1);
        for (fd = 3; fd < (int)num_events + SPARE_DESCRIPTORS; fd++)
            close(fd);
        CHECK_OK(doca_pe_create(&pe));
        build(&rigs[0], import(0));
        begin(0);
        drain();
        CHECK_OK(doca_pe_request_notification(pe));
        count_descriptors(&num, &num_inotify, &num_processes);
        CHECK_EQ(num_processes, num_of_parent);
        CHECK(!wakes(0));
        end(&rigs[0], waits[0]);
        CHECK_OK(doca_sync_event_destroy(rigs[0].event));
        _exit(0);
    }
    PEER_REAP(child);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
    peer_close();
}

/* ---- limits of the system ---- */

/* Let system call `number` fail with `error` in this process from now on. */
static bool forbid(unsigned number, unsigned error)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };

    return sys_prctl(PR_SET_NO_NEW_PRIVS, 1, 0) == 0 &&
           sys_prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, (long)&program) == 0;
}

enum { NO_FILTER = 77 };

/* In a child process in which the system call fails, start a context. The start must fail, and the
 * reason must name the limit and the step. */
static void check_start_is_refused(unsigned number, unsigned error, const char *limit,
                                   const char *step)
{
    pid_t child = test_peer();
    int status;

    if (child == 0) {
        alarm(PEER_SECONDS);
        if (setjmp(test_leave) != 0) {
            fflush(stdout);
            _exit(1);
        }
        dev = rig_open_dev(NULL);
        CHECK_OK(doca_pe_create(&pe));
        build(&rigs[0], event_make(dev, true));
        if (!forbid(number, error))
            _exit(NO_FILTER);
        CHECK_RC(doca_ctx_start(rigs[0].ctx), DOCA_ERROR_OPERATING_SYSTEM);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_SYSTEM);
        CHECK(strstr(doca_core_last_error(), limit) != NULL);
        CHECK(strstr(doca_core_last_error(), step) != NULL);
        CHECK_EQ(rig_state(rigs[0].ctx), DOCA_CTX_STATE_IDLE);
        CHECK_OK(doca_sync_event_destroy(rigs[0].event));
        CHECK_OK(doca_pe_destroy(pe));
        _exit(0);
    }
    peer_forget(child);
    CHECK_EQ(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_FILTER)
        test_skip("seccomp filters are not permitted here");
    CHECK_EQ(status, 0);
}

static void failed_start_names_the_limit(void)
{
    check_start_is_refused(SYS_inotify_init1, EMFILE, "fs.inotify.max_user_instances",
                           "inotify instance");
    check_start_is_refused(SYS_inotify_add_watch, ENOSPC, "fs.inotify.max_user_watches", "page");
    check_start_is_refused(SYS_epoll_create1, EMFILE, "RLIMIT_NOFILE", "epoll set");
    check_start_is_refused(SYS_memfd_create, EMFILE, "RLIMIT_NOFILE", "page");
}

/* Import and start with 0, 1, 2 ... free descriptors. Each error must name the limit of
 * descriptors. */
static void error_without_descriptors_names_the_limit(void)
{
    struct rlimit old, few;
    unsigned room, refused[2] = { 0, 0 };
    int fd;

    peer_open();
    dev = rig_open_dev(NULL);
    CHECK_OK(doca_pe_create(&pe));
    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &old), 0);
    build(&rigs[0], import(0));
    fd = event_free_fd();
    for (room = 0; room < 6; room++) { /* some of these numbers may be in use */
        struct doca_sync_event *event = NULL;
        doca_error_t rc;

        few = old;
        few.rlim_cur = (rlim_t)fd + room;
        CHECK_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
        rc = doca_ctx_start(rigs[0].ctx);
        CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_OPERATING_SYSTEM);
        CHECK(rc == DOCA_SUCCESS || strstr(doca_core_last_error(), "RLIMIT_NOFILE") != NULL);
        refused[0] += rc != DOCA_SUCCESS;
        CHECK_OK(doca_ctx_stop(rigs[0].ctx));
        drain();
        rc = doca_sync_event_create_from_export(dev, shared->desc[1].bytes, shared->desc[1].len,
                                                &event);
        CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_OPERATING_SYSTEM);
        CHECK(rc == DOCA_SUCCESS || strstr(doca_core_last_error(), "RLIMIT_NOFILE") != NULL);
        refused[1] += rc != DOCA_SUCCESS;
        CHECK_EQ(setrlimit(RLIMIT_NOFILE, &old), 0);
        if (event != NULL)
            CHECK_OK(doca_sync_event_destroy(event));
        CHECK_EQ(event_free_fd(), fd);
    }
    CHECK(refused[0] >= 2 && refused[0] < 6);
    CHECK(refused[1] >= 1 && refused[1] < 6);
    CHECK_OK(doca_sync_event_destroy(rigs[0].event));
    CHECK_OK(doca_pe_destroy(pe));
    CHECK_OK(doca_dev_close(dev));
    peer_close();
}

static const struct test_case cases[] = {
    CASE(each_event_needs_one_descriptor, ""),
    CASE(all_events_may_change_before_the_pe_is_served, ""),
    CASE(event_may_stop_while_others_wait, ""),
    CASE(all_waits_end_when_the_exporter_is_killed, ""),
    CASE(event_without_a_waiting_task_does_not_wake_the_pe, ""),
    CASE(imports_of_one_event_wake_together, ""),
    CASE(contexts_of_a_pe_may_start_and_stop, ""),
    CASE(forked_child_uses_its_own_descriptors, ""),
    CASE(failed_start_names_the_limit, ""),
    CASE(error_without_descriptors_names_the_limit, ""),
};

TEST_MAIN(cases)

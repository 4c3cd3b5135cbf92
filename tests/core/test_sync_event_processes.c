/* Sync events between two processes. The processes sleep, stop the event, are killed, or belong to
 * another user. */
#include "event_rig.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define ALL_BITS UINT64_MAX
/* Time limits in seconds, with a wide margin for busy machines. SOON: limit of each single wait.
 * PEER_SECONDS: the peer is killed after this time. CASE_SECONDS: a process that waits for its peer
 * is killed after this time. */
#define SOON 30.0
#define PEER_SECONDS 60
#define CASE_SECONDS 120

/* ---- two processes, with a socket between them ---- */

struct peer {
    pid_t pid;
    int socket;
};

/* Run `body` in this process, a child, and exit: with status 1 if a check fails. */
static void peer_run(void (*body)(int socket), int socket)
{
    alarm(PEER_SECONDS);
    if (setjmp(test_leave) != 0) {
        fflush(stdout);
        _exit(1);
    }
    body(socket);
    _exit(0);
}

/* Run `body` in a child process. The child exits with status 1 if a check fails. */
static struct peer peer_start(void (*body)(int socket))
{
    struct peer p;
    int sockets[2];

    CHECK_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets), 0);
    p.pid = test_peer();
    if (p.pid == 0) {
        close(sockets[0]);
        peer_run(body, sockets[1]);
    }
    close(sockets[1]);
    p.socket = sockets[0];
    alarm(CASE_SECONDS);
    return p;
}

static void send_bytes(int socket, const void *data, size_t bytes)
{
    ssize_t sent = send(socket, data, bytes, MSG_NOSIGNAL);

    if (sent < 0)
        peer_explain(__FILE__, __LINE__);
    CHECK_EQ(sent, bytes);
}

static size_t receive_bytes(int socket, void *data, size_t bytes)
{
    struct pollfd wait = { socket, POLLIN, 0 };
    ssize_t got;

    CHECK_EQ(poll(&wait, 1, (int)(SOON * 1000)), 1);
    got = recv(socket, data, bytes, 0);
    if (got <= 0)
        peer_explain(__FILE__, __LINE__);
    CHECK(got > 0);
    return (size_t)got;
}

static void step(int socket)
{
    send_bytes(socket, "", 1);
}

static void await_step(int socket)
{
    char c;

    (void)receive_bytes(socket, &c, 1);
}

static void peer_join(struct peer *p, bool is_killed)
{
    int status;

    close(p->socket);
    if (is_killed) {
        peer_forget(p->pid);
        CHECK_EQ(waitpid(p->pid, &status, 0), p->pid);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    } else {
        PEER_REAP(p->pid);
    }
    alarm(0);
}

/* Start an event and send its descriptor. */
static struct doca_sync_event *offer(int socket, struct doca_dev *dev)
{
    struct doca_sync_event *event = event_alone(dev, true);
    const uint8_t *data;
    size_t sz;

    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
    send_bytes(socket, data, sz);
    return event;
}

static struct doca_sync_event *accept_offer(int socket, struct doca_dev *dev)
{
    struct doca_sync_event *event;
    uint8_t desc[256];
    size_t sz = receive_bytes(socket, desc, sizeof(desc));

    CHECK_OK(doca_sync_event_create_from_export(dev, desc, sz, &event));
    return event;
}

static struct doca_sync_event *accept_alone(int socket, struct doca_dev *dev)
{
    struct doca_sync_event *event = accept_offer(socket, dev);

    CHECK_OK(doca_sync_event_start(event));
    return event;
}

/* ---- both processes update the value ---- */

#define ROUNDS 500

static void echo_stand_alone(int socket)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = accept_alone(socket, dev);
    uint64_t i, was;

    for (i = 0; i < ROUNDS; i++) {
        CHECK_OK(doca_sync_event_wait_gt_yield(event, 2 * i, ALL_BITS));
        CHECK_OK(doca_sync_event_update_add(event, 1, &was));
        CHECK_EQ(was, 2 * i + 1);
    }
}

static void both_processes_update_and_wait(void)
{
    struct peer p = peer_start(echo_stand_alone);
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = offer(p.socket, dev);
    uint64_t i, was;

    for (i = 0; i < ROUNDS; i++) {
        CHECK_OK(doca_sync_event_update_add(event, 1, &was));
        CHECK_OK(i % 8 == 0 ? doca_sync_event_wait_gt(event, 2 * i + 1, ALL_BITS)
                            : doca_sync_event_wait_gt_yield(event, 2 * i + 1, ALL_BITS));
    }
    peer_join(&p, false);
    CHECK_EQ(event_value(event), 2 * ROUNDS);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

#define ADDITIONS 1000000

static void add_many(struct doca_sync_event *event)
{
    uint64_t was;
    int i;

    for (i = 0; i < ADDITIONS; i++)
        CHECK_OK(doca_sync_event_update_add(event, 1, &was));
}

static void add_at_the_same_time(int socket)
{
    add_many(accept_alone(socket, rig_open_dev(NULL)));
}

static void additions_of_two_processes_add_up(void)
{
    struct peer p = peer_start(add_at_the_same_time);
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = offer(p.socket, dev);

    CHECK_OK(doca_sync_event_wait_gt(event, 0, ALL_BITS)); /* the other process has begun to add */
    add_many(event);
    peer_join(&p, false);
    CHECK_EQ(event_value(event), 2 * ADDITIONS);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

/* Sleep until the only task in flight has completed. */
static void sleep_until_done(struct event_rig *r)
{
    unsigned before = r->num_ok + r->num_failed;
    double start = event_seconds();

    while (r->num_ok + r->num_failed == before) {
        CHECK_OK(doca_pe_request_notification(r->pe));
        CHECK(event_is_readable(r->pe, (int)(SOON * 1000)));
        CHECK_OK(doca_pe_clear_notification(r->pe, 0));
        event_drain(r);
        CHECK(event_seconds() - start < SOON);
    }
}

static void poll_until_done(struct event_rig *r)
{
    unsigned before = r->num_ok + r->num_failed;
    double start = event_seconds();

    while (r->num_ok + r->num_failed == before) {
        if (!doca_pe_progress(r->pe))
            sched_yield();
        CHECK(event_seconds() - start < SOON);
    }
}

/* One side of a game in which two processes increment the value in turn: this side waits for odd
 * values or for even values. */
static void play(struct event_rig *r, unsigned side, void (*until_done)(struct event_rig *r))
{
    struct doca_sync_event_task_wait_gt *wait =
        (struct doca_sync_event_task_wait_gt *)(void *)event_wait_task(r, 0, ALL_BITS);
    uint64_t i, was = 0;
    struct doca_task *add = event_add_task(r, 1, &was);

    for (i = 0; i < 100; i++) {
        if (side == 1 || i > 0) {
            doca_sync_event_task_wait_gt_set_wait_val(wait, 2 * i - 1 + side);
            CHECK_OK(doca_task_submit(doca_sync_event_task_wait_gt_as_doca_task(wait)));
            until_done(r);
            CHECK_OK(r->status);
        }
        CHECK_OK(doca_task_submit(add));
        event_drain(r);
        CHECK_EQ(was, 2 * i + side);
    }
    doca_task_free(doca_sync_event_task_wait_gt_as_doca_task(wait));
    doca_task_free(add);
}

static void (*until_done)(struct event_rig *r);

static void play_second(int socket)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct event_rig r;

    event_build_ctx(&r, dev, accept_offer(socket, dev));
    event_start(&r);
    play(&r, 1, until_done);
    step(socket);
    await_step(socket);
    event_close(&r);
}

static void game_of_contexts(void)
{
    struct peer p = peer_start(play_second);
    struct doca_dev *dev = rig_open_dev(NULL);
    const uint8_t *data;
    struct event_rig r;
    size_t sz;

    event_build_ctx(&r, dev, event_make(dev, true));
    event_start(&r);
    CHECK_OK(doca_sync_event_export_to_dpu(r.event, dev, &data, &sz));
    send_bytes(p.socket, data, sz);
    play(&r, 0, until_done);
    await_step(p.socket);
    step(p.socket);
    peer_join(&p, false);
    event_close(&r);
}

static void tasks_of_two_processes_answer_each_other(void)
{
    until_done = poll_until_done;
    game_of_contexts();
}

static void sleepers_of_two_processes_wake_each_other(void)
{
    until_done = sleep_until_done;
    game_of_contexts();
}

static void update_remotely(int socket)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event_remote_net *net;
    uint8_t desc[256];
    uint64_t value;
    size_t sz = receive_bytes(socket, desc, sizeof(desc));

    CHECK_OK(doca_sync_event_remote_net_create_from_export(dev, desc, sz, &net));
    CHECK_OK(doca_core_sync_event_remote_net_update_set(net, 5));
    CHECK_OK(doca_core_sync_event_remote_net_wait_gt(net, 9, ALL_BITS));
    CHECK_OK(doca_core_sync_event_remote_net_update_add(net, 90, &value));
    CHECK_EQ(value, 10);
    CHECK_OK(doca_core_sync_event_remote_net_get(net, &value));
    CHECK_EQ(value, 100);
    CHECK_OK(doca_sync_event_remote_net_destroy(net));
    CHECK_OK(doca_dev_close(dev));
}

static void update_by_a_remote_publisher_ends_a_wait(void)
{
    struct peer p = peer_start(update_remotely);
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_net(dev);
    const uint8_t *data;
    uint64_t was;
    size_t sz;

    CHECK_OK(doca_sync_event_export_to_remote_net(event, &data, &sz));
    send_bytes(p.socket, data, sz);
    CHECK_OK(doca_sync_event_wait_gt_yield(event, 4, ALL_BITS));
    CHECK_OK(doca_sync_event_update_add(event, 5, &was));
    CHECK_EQ(was, 5);
    CHECK_OK(doca_sync_event_wait_gt_yield(event, 99, ALL_BITS));
    peer_join(&p, false);
    CHECK_EQ(event_value(event), 100);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

/* ---- exporters that end ---- */

static void offer_and_be_killed(int socket)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = offer(socket, dev);

    CHECK_OK(doca_sync_event_update_set(event, 7));
    await_step(socket);
    usleep(20000);
    raise(SIGKILL);
}

/* The killed exporter leaves a child that has the page of the event mapped. The child runs until
 * the importer has closed the socket. */
static void offer_with_a_child_and_be_killed(int socket)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = offer(socket, dev);
    struct pollfd other_side = { socket, POLLRDHUP, 0 };
    pid_t child;

    CHECK_OK(doca_sync_event_update_set(event, 7));
    fflush(stdout);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        (void)poll(&other_side, 1, 60000); /* longer than SOON */
        _exit(0);
    }
    await_step(socket);
    usleep(20000);
    raise(SIGKILL);
}

/* Without a lock on the page, as on file systems that have no locks, the importer can detect only
 * the exit of the exporter's process. */
static void offer_without_a_lock_and_be_killed(int socket)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = offer(socket, dev);

    CHECK(OBJECT(event)->share.page->is_locked);
    OBJECT(event)->share.page->is_locked = 0;
    CHECK_OK(doca_sync_event_update_set(event, 7));
    await_step(socket);
    usleep(20000);
    raise(SIGKILL);
}

static void offer_and_stop(int socket)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = offer(socket, dev);

    CHECK_OK(doca_sync_event_update_set(event, 7));
    await_step(socket);
    usleep(20000);
    CHECK_OK(doca_sync_event_stop(event));
    await_step(socket); /* the process itself continues to run */
}

static void offer_and_exec(int socket)
{
    static char sh[] = "sh", option[] = "-c", line[] = "dd bs=1 count=1 >/dev/null 2>&1";
    char *const arguments[] = { sh, option, line, NULL };
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = offer(socket, dev);

    CHECK_OK(doca_sync_event_update_set(event, 7));
    await_step(socket);
    usleep(20000);
    CHECK_EQ(dup2(socket, STDIN_FILENO), STDIN_FILENO);
    /* the process continues to run; an emulator would intercept execl() */
    execve("/bin/sh", arguments, environ);
    CHECK(false);
}

/* How an importer waits for a value that is never written. */
enum how { SPINNING, YIELDING, POLLING, SLEEPING, NUM_WAYS };

static void wait_for_the_end(enum how how, void (*exporter)(int socket), bool is_killed)
{
    struct peer p = peer_start(exporter);
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = accept_offer(p.socket, dev);
    double start = event_seconds();
    struct event_rig r;
    uint64_t value;

    if (is_killed)
        peer_forget(p.pid); /* the exporter kills itself */
    if (how == SPINNING || how == YIELDING) {
        CHECK_OK(doca_sync_event_start(event));
        step(p.socket);
        CHECK_RC(how == SPINNING ? doca_sync_event_wait_gt(event, 7, ALL_BITS)
                                 : doca_sync_event_wait_gt_yield(event, 7, ALL_BITS),
                 DOCA_ERROR_CONNECTION_RESET);
        CHECK_EQ(event_value(event), 7); /* the last value remains */
        CHECK_RC(doca_sync_event_update_set(event, 1), DOCA_ERROR_CONNECTION_RESET);
        CHECK_RC(doca_sync_event_update_add(event, 1, &value), DOCA_ERROR_CONNECTION_RESET);
        CHECK_OK(doca_sync_event_destroy(event));
    } else {
        struct doca_task *wait, *get;

        event_build_ctx(&r, dev, event);
        event_start(&r);
        wait = event_wait_task(&r, 7, ALL_BITS);
        get = event_get_task(&r, &value);
        CHECK_OK(doca_task_submit(wait));
        step(p.socket);
        (how == POLLING ? poll_until_done : sleep_until_done)(&r);
        CHECK_PTR(r.latest, wait);
        CHECK_RC(r.status, DOCA_ERROR_CONNECTION_RESET);
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
        event_do(&r, get);
        CHECK_EQ(value, 7);
        doca_task_free(wait);
        event_close_ctx(&r);
    }
    CHECK(event_seconds() - start < SOON);
    if (!is_killed)
        step(p.socket);
    peer_join(&p, is_killed);
    CHECK_OK(doca_dev_close(dev));
}

static void waits_end_when_the_exporter_is_killed(void)
{
    int how;

    for (how = 0; how < NUM_WAYS; how++) {
        wait_for_the_end((enum how)how, offer_and_be_killed, true);
        wait_for_the_end((enum how)how, offer_without_a_lock_and_be_killed, true);
    }
}

static void waits_end_although_a_child_of_the_exporter_lives(void)
{
    int how;

    for (how = 0; how < NUM_WAYS; how++)
        wait_for_the_end((enum how)how, offer_with_a_child_and_be_killed, true);
}

static void waits_end_when_the_exporter_stops(void)
{
    int how;

    for (how = 0; how < NUM_WAYS; how++)
        wait_for_the_end((enum how)how, offer_and_stop, false);
}

static void waits_end_when_the_exporter_calls_exec(void)
{
    int how;

    for (how = 0; how < SLEEPING; how++) /* exec does not wake a sleeping importer */
        wait_for_the_end((enum how)how, offer_and_exec, false);
}

/* After the exporter's end was reported once, it does not make the handle readable again. */
static void end_of_the_exporter_wakes_once(void)
{
    struct peer p = peer_start(offer_and_be_killed);
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_task *wait;
    struct event_rig r;
    unsigned i;

    event_build_ctx(&r, dev, accept_offer(p.socket, dev));
    event_start(&r);
    wait = event_wait_task(&r, 7, ALL_BITS);
    CHECK_OK(doca_task_submit(wait));
    peer_forget(p.pid); /* the exporter kills itself */
    step(p.socket);
    sleep_until_done(&r);
    CHECK_RC(r.status, DOCA_ERROR_CONNECTION_RESET);
    for (i = 0; i < 3; i++) {
        CHECK_OK(doca_pe_request_notification(r.pe));
        CHECK(!event_is_readable(r.pe, 0));
        CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    }
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_OK(doca_task_submit(wait)); /* fails at once, which makes the handle readable */
    CHECK(event_is_readable(r.pe, 0));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    event_drain(&r);
    CHECK_EQ(r.num_failed, 2);
    doca_task_free(wait);
    event_close_ctx(&r);
    peer_join(&p, true);
    CHECK_OK(doca_dev_close(dev));
}

/* Install a seccomp filter for this process and its children: the action `end` applies to system
 * call `number`, the action `other_action` to all other system calls. */
static bool filter_calls(unsigned number, unsigned end, unsigned other_action)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, end),
        BPF_STMT(BPF_RET | BPF_K, other_action),
    };
    struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };

    return sys_prctl(PR_SET_NO_NEW_PRIVS, 1, 0) == 0 &&
           sys_prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, (long)&program) == 0;
}

/* Let pidfd_open() fail with ENOSYS, as before Linux 5.3. */
static bool forbid_pidfd(void)
{
    return filter_calls(434, SECCOMP_RET_ERRNO | ENOSYS, SECCOMP_RET_ALLOW) &&
           sys_call(434, (long)getpid(), 0, 0, 0, 0, 0) < 0;
}

static void wait_without_pidfd(int socket)
{
    bool is_old = forbid_pidfd();
    int how;

    send_bytes(socket, &is_old, sizeof(is_old));
    for (how = 0; how < SLEEPING && is_old; how++) { /* such kernels do not wake a sleeper */
        wait_for_the_end((enum how)how, offer_and_be_killed, true);
        wait_for_the_end((enum how)how, offer_with_a_child_and_be_killed, true);
    }
}

static void waits_end_on_old_kernels_when_the_exporter_is_killed(void)
{
    struct peer p = peer_start(wait_without_pidfd);
    bool is_old;

    (void)receive_bytes(p.socket, &is_old, sizeof(is_old));
    peer_join(&p, false);
    if (!is_old)
        test_skip("seccomp filters are not permitted here");
}

/* Without /proc and without pidfd_open() the library cannot check whether an exporter is running.
 * It refuses to export or import an event, and must not treat a running exporter as ended. */
static void use_event_without_proc(int socket)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true), *late = event_alone(dev, true);
    struct doca_sync_event *import = NULL, *none = NULL;
    const uint8_t *data = NULL, *late_data = NULL;
    bool is_hidden = forbid_pidfd();
    struct doca_task *wait;
    size_t sz = 0, late_sz = 0;
    struct event_rig r;
    double start;

    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
    CHECK_OK(doca_sync_event_create_from_export(dev, data, sz, &import));
    event_build_ctx(&r, dev, import);
    event_start(&r);
    is_hidden = is_hidden && chroot("/sys") == 0 && chdir("/") == 0;
    send_bytes(socket, &is_hidden, sizeof(is_hidden));
    if (!is_hidden)
        return;
    CHECK_RC(doca_sync_event_export_to_dpu(late, dev, &late_data, &late_sz),
             DOCA_ERROR_OPERATING_SYSTEM);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EXPORT_NO_PROC);
    CHECK(late_data == NULL && late_sz == 0);
    CHECK_RC(doca_sync_event_create_from_export(dev, data, sz, &none),
             DOCA_ERROR_OPERATING_SYSTEM);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EXPORT_NO_PROC);
    CHECK_PTR(none, NULL);
    wait = event_wait_task(&r, 7, ALL_BITS);
    CHECK_OK(doca_task_submit(wait));
    for (start = event_seconds(); event_seconds() - start < 0.3;)
        CHECK_EQ(doca_pe_progress(r.pe), 0);
    CHECK_OK(doca_sync_event_update_set(event, 8));
    poll_until_done(&r);
    CHECK_OK(r.status);
    doca_task_free(wait);
    event_close_ctx(&r);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_sync_event_destroy(late));
    CHECK_OK(doca_dev_close(dev));
}

static void exporter_that_cannot_be_checked_does_not_count_as_ended(void)
{
    struct peer p = peer_start(use_event_without_proc);
    bool is_hidden;

    (void)receive_bytes(p.socket, &is_hidden, sizeof(is_hidden));
    peer_join(&p, false);
    if (!is_hidden)
        test_skip("seccomp filters or a change of the root directory are not permitted here");
}

/* Without random numbers an export fails, because its token could be guessed. */
static void export_without_random_numbers(int socket)
{
    static unsigned char memory[64];
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_make(dev, true);
    bool is_filtered = filter_calls(SYS_getrandom, SECCOMP_RET_ERRNO | ENOSYS, SECCOMP_RET_ALLOW);
    size_t used, used_before, len;
    struct doca_mmap *mmap;
    const void *desc;

    send_bytes(socket, &is_filtered, sizeof(is_filtered));
    if (!is_filtered)
        return;
    CHECK_RC(doca_sync_event_start(event), DOCA_ERROR_OPERATING_SYSTEM);
    CHECK_OK(doca_sync_event_destroy(event));
    if (test_other() == NULL) { /* other devices do not use this token for mmaps */
        CHECK_OK(doca_mmap_create(&mmap));
        CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
        CHECK_OK(doca_mmap_add_dev(mmap, dev));
        CHECK_OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_ONLY));
        CHECK_OK(doca_mmap_start(mmap));
        CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &used_before, NULL, NULL));
        CHECK_RC(doca_mmap_export_pci(mmap, dev, &desc, &len), DOCA_ERROR_OPERATING_SYSTEM);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EXPORT_RANDOM);
        CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &used, NULL, NULL));
        CHECK_EQ(used, used_before);
        CHECK_OK(doca_mmap_destroy(mmap));
    }
    CHECK_OK(doca_dev_close(dev));
}

static void nothing_is_exported_without_random_numbers(void)
{
    struct peer p = peer_start(export_without_random_numbers);
    bool is_filtered;

    (void)receive_bytes(p.socket, &is_filtered, sizeof(is_filtered));
    peer_join(&p, false);
    if (!is_filtered)
        test_skip("seccomp filters are not permitted here");
}

/* ---- system calls ---- */

enum { NO_FILTER = 77 };

static bool updater_imports;

/* Use the event with every call of the data path, in a process that any system call kills. */
static void update_without_system_calls(int socket)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *events[2] = { event_alone(dev, false) };
    uint64_t i, e, value;

    events[1] = updater_imports ? accept_alone(socket, dev) : offer(socket, dev);
    await_step(socket);
    if (!filter_calls(SYS_exit_group, SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS))
        _exit(NO_FILTER);
    for (i = 1; i < 3000; i++) {
        for (e = 0; e < 2; e++) {
            CHECK_OK(doca_sync_event_update_set(events[e], 2 * i));
            CHECK_OK(doca_sync_event_update_add(events[e], 1, &value));
            CHECK_EQ(value, 2 * i);
            CHECK_OK(doca_sync_event_wait_gt(events[e], value, ALL_BITS));
            CHECK_EQ(event_value(events[e]), 2 * i + 1);
        }
    }
    sys_call(SYS_exit_group, 0, 0, 0, 0, 0, 0);
}

/* Return the exit status of a child that runs update_without_system_calls(). This process shares
 * the event, and with `has_sleeper` waits for it with an armed handle. */
static int status_of_updater(bool imports, bool has_sleeper)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event;
    struct doca_task *wait = NULL;
    struct event_rig r;
    struct peer p;
    int status;

    updater_imports = imports;
    p = peer_start(update_without_system_calls);
    event = imports ? offer(p.socket, dev) : accept_offer(p.socket, dev);
    if (has_sleeper) {
        event_build_ctx(&r, dev, event);
        event_start(&r);
        wait = event_wait_task(&r, 0, ALL_BITS);
        CHECK_OK(doca_task_submit(wait));
        CHECK_OK(doca_pe_request_notification(r.pe));
    }
    peer_forget(p.pid); /* the caller checks the exit status */
    step(p.socket);
    CHECK_EQ(waitpid(p.pid, &status, 0), p.pid);
    close(p.socket);
    if (has_sleeper) {
        CHECK_OK(doca_pe_clear_notification(r.pe, 0));
        poll_until_done(&r);
        doca_task_free(wait);
        event_close_ctx(&r);
    } else {
        CHECK_OK(doca_sync_event_destroy(event));
    }
    CHECK_OK(doca_dev_close(dev));
    return status;
}

static void only_waking_a_sleeper_needs_a_system_call(void)
{
    int status = status_of_updater(false, false);

    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_FILTER)
        test_skip("seccomp filters are not permitted here");
    CHECK_EQ(status, 0);
    CHECK_EQ(status_of_updater(true, false), 0);
    /* waking a sleeper needs a system call, for which the filter kills the process */
    status = status_of_updater(false, true);
    CHECK(WIFSIGNALED(status));
    CHECK_EQ(WTERMSIG(status), SIGSYS);
}

static bool limited_imports;

/* Update the event while RLIMIT_FSIZE forbids writing files. An exporter also destroys its event
 * under this limit. */
static void update_under_a_limit(int socket)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = limited_imports ? accept_alone(socket, dev)
                                                    : offer(socket, dev);
    struct rlimit old, none;

    await_step(socket);
    doca_core_log_set_level(DOCA_CORE_LOG_DISABLE); /* the log may go to a file */
    CHECK_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
    none = old;
    none.rlim_cur = 0;
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &none), 0);
    CHECK_OK(doca_sync_event_update_set(event, 1));
    await_step(socket);
    CHECK_OK(doca_sync_event_destroy(event));
    /* a build for coverage writes files when the process ends */
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
    step(socket);
    await_step(socket);
}

/* Updates under this limit wake other processes, and do not raise SIGXFSZ, the signal for a write
 * beyond the limit. */
static void updates_under_a_file_size_limit_wake_others(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_task *waits[2], *add;
    const uint8_t *data;
    uint64_t was = 0;
    struct event_rig r;
    struct peer p;
    unsigned i;
    size_t sz;

    for (i = 0; i < 2; i++) {
        limited_imports = i == 0;
        p = peer_start(update_under_a_limit);
        event_build_ctx(&r, dev,
                        limited_imports ? event_make(dev, true) : accept_offer(p.socket, dev));
        event_start(&r);
        if (limited_imports) {
            CHECK_OK(doca_sync_event_export_to_dpu(r.event, dev, &data, &sz));
            send_bytes(p.socket, data, sz);
        }
        waits[0] = event_wait_task(&r, 0, ALL_BITS);
        waits[1] = event_wait_task(&r, 1, ALL_BITS);
        CHECK_OK(doca_task_submit(waits[0]));
        CHECK_OK(doca_task_submit(waits[1]));
        CHECK_OK(doca_pe_request_notification(r.pe));
        step(p.socket);
        sleep_until_done(&r);
        CHECK_OK(r.status);
        step(p.socket);
        await_step(p.socket);
        if (limited_imports) { /* the event works after the importer ends */
            add = event_add_task(&r, 1, &was);
            CHECK_OK(doca_task_submit(add));
            event_drain(&r);
            CHECK_EQ(was, 1);
            doca_task_free(add);
        }
        while (r.num_ok + r.num_failed < (limited_imports ? 3 : 2))
            sleep_until_done(&r);
        CHECK_RC(r.status, limited_imports ? DOCA_SUCCESS : DOCA_ERROR_CONNECTION_RESET);
        step(p.socket);
        peer_join(&p, false);
        doca_task_free(waits[0]);
        doca_task_free(waits[1]);
        event_close_ctx(&r);
    }
    CHECK_OK(doca_dev_close(dev));
}

static void offer_and_die(int socket)
{
    struct doca_dev *dev = rig_open_dev(NULL);

    (void)offer(socket, dev);
}

static const uint8_t *desc_of_parent;
static size_t desc_of_parent_len;

/* The second thread: after the first thread has ended, use a new event and an event of the parent
 * process. */
static void *use_events_alone(void *arg)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *own, *import;

    (void)arg;
    usleep(20000); /* time for the first thread to end */
    alarm(PEER_SECONDS);
    if (setjmp(test_leave) != 0) {
        fflush(stdout);
        _exit(1);
    }
    own = event_alone(dev, true);
    CHECK_OK(doca_sync_event_update_set(own, 3));
    CHECK_EQ(event_value(own), 3);
    CHECK_OK(doca_sync_event_create_from_export(dev, desc_of_parent, desc_of_parent_len, &import));
    CHECK_OK(doca_sync_event_start(import));
    CHECK_OK(doca_sync_event_update_set(import, 5));
    _exit(0);
}

/* /proc/self/fd shows the descriptors of the first thread. When that thread has ended it is empty,
 * and the library must not depend on it. */
static void first_thread_may_have_ended(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true);
    pthread_t thread;
    pid_t pid;

    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &desc_of_parent, &desc_of_parent_len));
    fflush(stdout);
    heap_trap_set(HEAP_TRAP_OFF);
    pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        if (pthread_create(&thread, NULL, use_events_alone, NULL) != 0)
            _exit(2);
        pthread_exit(NULL);
    }
    PEER_REAP(pid);
    CHECK_EQ(event_value(event), 5);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

static void descriptor_of_an_ended_exporter_is_refused(void)
{
    struct peer p = peer_start(offer_and_die);
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = NULL;
    uint8_t desc[256];
    size_t sz = receive_bytes(p.socket, desc, sizeof(desc));
    siginfo_t info;

    CHECK_EQ(waitid(P_PID, (id_t)p.pid, &info, WEXITED | WNOWAIT), 0);
    CHECK_RC(doca_sync_event_create_from_export(dev, desc, sz, &event), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_GONE);
    peer_join(&p, false); /* reaps the exporter; a zombie would still have its process number */
    CHECK_RC(doca_sync_event_create_from_export(dev, desc, sz, &event), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_GONE);
    CHECK(event == NULL);
    CHECK_OK(doca_dev_close(dev));
}

static void offer_twice(int socket)
{
    struct doca_dev *dev = rig_open_dev(NULL);

    (void)offer(socket, dev);
    (void)offer(socket, dev);
    for (;;)
        pause();
}

/* This process imports events of two other processes. When one of them is killed, the library
 * refuses its second descriptor, although an import of its first descriptor exists. The event of
 * the other process can still be used. */
static void exporters_are_told_apart(void)
{
    struct peer ends = peer_start(offer_twice), lives = peer_start(offer_twice);
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *first = accept_alone(ends.socket, dev);
    struct doca_sync_event *second = accept_alone(lives.socket, dev), *third = NULL;
    uint8_t desc[256];
    size_t sz = receive_bytes(ends.socket, desc, sizeof(desc));
    siginfo_t info;
    uint64_t was;

    peer_kill(ends.pid);
    CHECK_EQ(waitid(P_PID, (id_t)ends.pid, &info, WEXITED | WNOWAIT), 0);
    CHECK_RC(doca_sync_event_create_from_export(dev, desc, sz, &third), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_GONE);
    CHECK_RC(doca_sync_event_wait_gt(first, 0, ALL_BITS), DOCA_ERROR_CONNECTION_RESET);
    third = accept_alone(lives.socket, dev);
    CHECK_OK(doca_sync_event_update_add(second, 1, &was));
    CHECK_OK(doca_sync_event_update_add(third, 2, &was));
    CHECK_EQ(event_value(second), 1);
    CHECK_EQ(event_value(third), 2);
    CHECK_OK(doca_sync_event_destroy(first));
    CHECK_OK(doca_sync_event_destroy(second));
    CHECK_OK(doca_sync_event_destroy(third));
    CHECK_OK(doca_dev_close(dev));
    peer_join(&ends, true);
    peer_kill(lives.pid);
    peer_join(&lives, true);
}

static void offer_and_set_later(int socket)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = offer(socket, dev);

    await_step(socket);
    usleep(50000); /* meanwhile the importer checks several times whether this process has ended */
    CHECK_OK(doca_sync_event_update_set(event, 9));
    await_step(socket);
    CHECK_OK(doca_sync_event_stop(event));
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

/* An exporter was killed while an import of its event exists, and another exporter got its process
 * number. An event of the new process can be imported and used. */
static void process_with_the_number_of_an_ended_exporter_counts_as_alive(void)
{
    struct peer ended = peer_start(offer_twice), lives;
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *first = accept_alone(ended.socket, dev), *second;
    int sockets[2];

    peer_kill(ended.pid);
    peer_join(&ended, true);
    CHECK_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets), 0);
    lives.pid = sys_fork_as(ended.pid);
    if (lives.pid == 0) {
        close(sockets[0]);
        peer_run(offer_and_set_later, sockets[1]);
    }
    close(sockets[1]);
    lives.socket = sockets[0];
    if (lives.pid > 0) {
        alarm(CASE_SECONDS);
        second = accept_alone(lives.socket, dev);
        step(lives.socket);
        CHECK_OK(doca_sync_event_wait_gt(second, 8, ALL_BITS));
        CHECK_RC(doca_sync_event_wait_gt(first, 0, ALL_BITS), DOCA_ERROR_CONNECTION_RESET);
        step(lives.socket);
        CHECK_OK(doca_sync_event_destroy(second));
        peer_join(&lives, false);
    }
    CHECK_OK(doca_sync_event_destroy(first));
    CHECK_OK(doca_dev_close(dev));
    if (lives.pid < 0) {
        close(sockets[0]);
        test_skip("this process may not choose the number of a child process");
    }
}

/* ---- importers that end ---- */

static void arm_and_be_killed(int socket)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct event_rig r;

    event_build_ctx(&r, dev, accept_offer(socket, dev));
    event_start(&r);
    CHECK_OK(doca_task_submit(event_wait_task(&r, 1000, ALL_BITS)));
    CHECK_OK(doca_pe_request_notification(r.pe));
    step(socket);
    for (;;) {
        (void)event_is_readable(r.pe, 1000);
        CHECK_OK(doca_pe_clear_notification(r.pe, 0));
        event_drain(&r);
        CHECK_OK(doca_pe_request_notification(r.pe));
    }
}

static void killed_importer_does_not_disturb_others(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = NULL, *import;
    const uint8_t *data;
    struct doca_task *wait;
    struct event_rig r;
    unsigned i;
    size_t sz;

    event = event_alone(dev, true);
    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
    for (i = 0; i < 3; i++) {
        struct peer p = peer_start(arm_and_be_killed);

        send_bytes(p.socket, data, sz);
        await_step(p.socket);
        CHECK_OK(doca_sync_event_update_set(event, i));
        peer_kill(p.pid);
        CHECK_OK(doca_sync_event_update_set(event, i + 1));
        peer_join(&p, true);
    }
    CHECK_EQ(event_value(event), 3);
    CHECK_OK(doca_sync_event_create_from_export(dev, data, sz, &import));
    event_build_ctx(&r, dev, import);
    event_start(&r);
    wait = event_wait_task(&r, 3, ALL_BITS);
    CHECK_OK(doca_task_submit(wait));
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!event_is_readable(r.pe, 0));
    CHECK_OK(doca_sync_event_update_set(event, 4));
    CHECK(event_is_readable(r.pe, 1000));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    event_drain(&r);
    CHECK_OK(r.status);
    doca_task_free(wait);
    event_close_ctx(&r);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

/* ---- processes that are killed at any moment ---- */

static void offer_and_count(int socket)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = offer(socket, dev);
    uint64_t was;

    for (;;)
        if (doca_sync_event_update_add(event, 1, &was) != DOCA_SUCCESS)
            _exit(2);
}

/* Wait for each value of a counter in turn, until the exporter that counts is killed. */
static void follow(struct event_rig *r, bool sleeps)
{
    double start = event_seconds();
    uint64_t value = 0, seen = 0;
    struct doca_sync_event_task_wait_gt *wait =
        (struct doca_sync_event_task_wait_gt *)(void *)event_wait_task(r, 0, ALL_BITS);
    struct doca_task *get = event_get_task(r, &value);

    do {
        doca_sync_event_task_wait_gt_set_wait_val(wait, seen + 50);
        CHECK_OK(doca_task_submit(doca_sync_event_task_wait_gt_as_doca_task(wait)));
        (sleeps ? sleep_until_done : poll_until_done)(r);
        CHECK(r->status == DOCA_SUCCESS || r->status == DOCA_ERROR_CONNECTION_RESET);
        if (r->status != DOCA_SUCCESS)
            break;
        CHECK_OK(doca_task_submit(get));
        event_drain(r);
        CHECK_OK(r->status);
        CHECK(value > seen + 50);
        seen = value;
    } while (event_seconds() - start < SOON);
    CHECK_RC(r->status, DOCA_ERROR_CONNECTION_RESET);
    doca_task_free(doca_sync_event_task_wait_gt_as_doca_task(wait));
    doca_task_free(get);
}

/* Start a process that kills process `pid` later; meanwhile this process waits for the event. */
static pid_t kill_later(pid_t pid, unsigned microseconds)
{
    pid_t killer;

    peer_forget(pid);
    killer = fork();
    CHECK(killer >= 0);
    if (killer == 0) {
        usleep(microseconds);
        kill(pid, SIGKILL);
        _exit(0);
    }
    return killer;
}

static void exporter_may_be_killed_at_any_moment(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    double start = event_seconds();
    int fd = event_free_fd();
    unsigned i;

    for (i = 0; i < 5 || event_seconds() - start < 1.5; i++) {
        struct peer p = peer_start(offer_and_count);
        struct doca_sync_event *event = NULL;
        uint8_t desc[256];
        size_t sz = receive_bytes(p.socket, desc, sizeof(desc));
        pid_t killer = kill_later(p.pid, rig_random(8000));
        struct event_rig r;
        doca_error_t rc;

        usleep(rig_random(3000));
        rc = doca_sync_event_create_from_export(dev, desc, sz, &event);
        CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_INVALID_VALUE); /* may have ended already */
        if (rc == DOCA_SUCCESS) {
            event_build_ctx(&r, dev, event);
            event_start(&r);
            follow(&r, i % 2 == 0);
            event_close_ctx(&r);
        }
        CHECK_EQ(waitpid(killer, NULL, 0), killer);
        peer_join(&p, true);
        CHECK_EQ(event_free_fd(), fd);
    }
    CHECK_OK(doca_dev_close(dev));
}

static void add_and_arm(int socket)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = accept_offer(socket, dev);
    struct doca_task *add, *wait;
    struct event_rig r;
    uint64_t was;

    event_build_ctx(&r, dev, event);
    event_start(&r);
    add = event_add_task(&r, 1, &was);
    wait = event_wait_task(&r, UINT64_MAX, ALL_BITS); /* never completes */
    CHECK_OK(doca_task_submit(wait));
    step(socket);
    for (;;) {
        CHECK_OK(doca_task_submit(add));
        CHECK_OK(doca_pe_request_notification(r.pe));
        CHECK_OK(doca_pe_clear_notification(r.pe, 0));
        event_drain(&r);
    }
}

static void importer_may_be_killed_at_any_moment(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    double start = event_seconds();
    int fd = event_free_fd();
    struct event_rig r;
    unsigned i;

    for (i = 0; i < 5 || event_seconds() - start < 1.5; i++) {
        struct peer p = peer_start(add_and_arm);
        struct doca_task *wait, *set;
        const uint8_t *data;
        size_t sz;

        event_build_ctx(&r, dev, event_make(dev, true));
        event_start(&r);
        CHECK_OK(doca_sync_event_export_to_dpu(r.event, dev, &data, &sz));
        send_bytes(p.socket, data, sz);
        await_step(p.socket);
        wait = event_wait_task(&r, 5, ALL_BITS);
        CHECK_OK(doca_task_submit(wait));
        sleep_until_done(&r);
        CHECK_OK(r.status);
        usleep(rig_random(8000));
        peer_kill(p.pid);
        peer_join(&p, true);
        set = event_set_task(&r, 1); /* the event still works */
        event_do(&r, set);
        CHECK_OK(doca_task_submit(wait));
        CHECK_EQ(event_drain(&r), 0);
        set = event_set_task(&r, 6);
        CHECK_OK(doca_task_submit(set));
        CHECK_EQ(event_drain(&r), 2);
        CHECK_PTR(r.latest, wait);
        doca_task_free(set);
        doca_task_free(wait);
        event_close_ctx(&r);
        CHECK_EQ(event_free_fd(), fd);
    }
    CHECK_OK(doca_dev_close(dev));
}

/* ---- processes of other users ---- */

static void import_as_nobody(int socket)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = NULL;
    uint8_t desc[256];
    size_t sz = receive_bytes(socket, desc, sizeof(desc));

    CHECK_EQ(setresgid(65534, 65534, 65534), 0);
    CHECK_EQ(setresuid(65534, 65534, 65534), 0);
    CHECK_RC(doca_sync_event_create_from_export(dev, desc, sz, &event), DOCA_ERROR_NOT_PERMITTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_OTHER_USER);
    CHECK(event == NULL);
    event = event_alone(dev, true); /* an event of this process works */
    CHECK_OK(doca_sync_event_update_set(event, 1));
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

static void processes_of_other_users_are_refused(void)
{
    struct doca_dev *dev;
    struct doca_sync_event *event;
    struct peer p;

    if (getuid() != 0)
        test_skip("only root can become another user");
    p = peer_start(import_as_nobody);
    dev = rig_open_dev(NULL);
    event = offer(p.socket, dev);
    peer_join(&p, false);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

static const struct test_case cases[] = {
    CASE(both_processes_update_and_wait, "256 258 269"),
    CASE(additions_of_two_processes_add_up, "269"),
    CASE(tasks_of_two_processes_answer_each_other, "264 269"),
    CASE(sleepers_of_two_processes_wake_each_other, "228 269"),
    CASE(update_by_a_remote_publisher_ends_a_wait, "269"),
    CASE(waits_end_when_the_exporter_is_killed, ""),
    CASE(waits_end_although_a_child_of_the_exporter_lives, ""),
    CASE(waits_end_when_the_exporter_stops, ""),
    CASE(waits_end_when_the_exporter_calls_exec, ""),
    CASE(end_of_the_exporter_wakes_once, ""),
    CASE(waits_end_on_old_kernels_when_the_exporter_is_killed, ""),
    CASE(nothing_is_exported_without_random_numbers, ""),
    CASE(exporter_that_cannot_be_checked_does_not_count_as_ended, ""),
    CASE(only_waking_a_sleeper_needs_a_system_call, ""),
    CASE(updates_under_a_file_size_limit_wake_others, ""),
    CASE(first_thread_may_have_ended, ""),
    CASE(descriptor_of_an_ended_exporter_is_refused, ""),
    CASE(exporters_are_told_apart, ""),
    CASE_OF_SW(process_with_the_number_of_an_ended_exporter_counts_as_alive, "",
               "process numbers"),
    CASE(killed_importer_does_not_disturb_others, ""),
    CASE(exporter_may_be_killed_at_any_moment, ""),
    CASE(importer_may_be_killed_at_any_moment, ""),
    CASE(processes_of_other_users_are_refused, ""),
};

TEST_MAIN(cases)

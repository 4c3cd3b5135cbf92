/* DOCA RDMA: connections that end or are used again at an awkward time, programs that sleep on the
 * notification handle while calls and peers change something, packets with too many descriptors,
 * and callbacks that do not return. */
#include "rdma_traffic.h"

#include "event_rig.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/un.h>

enum { BYTES = 1 << 14, SHORT = 200, LONG = 4000, FILES = 1024, CLIENTS = 4, MANY = 400 };

static _Alignas(64) unsigned char memory[4][BYTES];

static void open_ends(struct rdma_end *ends, unsigned num)
{
    unsigned i;

    for (i = 0; i < num; i++) {
        share_fill(memory[i], BYTES, i + 1);
        rdma_open(&ends[i], memory[i], BYTES);
    }
}

static void open_joined(struct rdma_end *a, struct rdma_end *b)
{
    share_fill(memory[0], BYTES, 1);
    share_fill(memory[1], BYTES, 2);
    rdma_open(a, memory[0], BYTES);
    rdma_open(b, memory[1], BYTES);
    rdma_join(a, b);
    RDMA_UNTIL(a->num_established == 1 && b->num_established == 1);
}

/* Open an end with `num` connections and no retries of messages after the first `retries`. */
static void open_with(struct rdma_end *e, unsigned index, uint16_t num, uint8_t retries)
{
    share_fill(memory[index], BYTES, index + 1);
    rdma_make(e, memory[index], BYTES);
    CHECK_OK(doca_rdma_set_max_num_connections(e->rdma, num));
    CHECK_OK(doca_rdma_set_rnr_retry_count(e->rdma, retries));
    rdma_start(e);
}

static doca_notification_handle_t arm(struct rdma_end *e)
{
    doca_notification_handle_t handle;

    CHECK_OK(doca_pe_get_notification_handle(e->pe, &handle));
    CHECK_OK(doca_pe_request_notification(e->pe));
    return handle;
}

/* Return whether the handle becomes readable within `ms` milliseconds, and disarm the end. */
static bool wakes(struct rdma_end *e, doca_notification_handle_t handle, int ms)
{
    struct pollfd wait = { .fd = handle, .events = POLLIN };
    bool is_woken = poll(&wait, 1, ms) == 1;

    CHECK_OK(doca_pe_clear_notification(e->pe, handle));
    return is_woken;
}

/* ---- the end of one connection among several ---- */

/* A child that connects, sends a long message, and waits to be killed. */
static void send_and_wait(int fd, uint32_t arg)
{
    struct rdma_blob ours, theirs;
    struct rdma_end e;

    (void)arg;
    rdma_forget_ends();
    rdma_open(&e, memory[3], BYTES);
    rdma_export(&e, &ours);
    send_all(fd, &ours, sizeof(ours));
    receive_all(fd, &theirs, sizeof(theirs));
    CHECK_OK(rdma_try_connect(&e, &theirs, e.conn));
    CHECK_OK(rdma_submit(rdma_send(&e, rdma_buf(&e, 0, LONG), 1)));
    RDMA_UNTIL(e.num_established == 1);
    send_all(fd, "r", 1);
    pause();
}

static void message_of_a_killed_sender_does_not_block_other_connections(void)
{
    struct rdma_blob ours, theirs;
    struct rdma_end a, b;
    struct peer peer = start_peer(send_and_wait, 0);
    unsigned round;
    char ready;

    alarm(60);
    open_with(&a, 0, 3, 7);
    open_with(&b, 1, 3, 7);
    for (round = 0; round < 2; round++)
        rdma_join(&a, &b);
    receive_all(peer.fd, &theirs, sizeof(theirs));
    rdma_export(&a, &ours);
    send_all(peer.fd, &ours, sizeof(ours));
    CHECK_OK(rdma_try_connect(&a, &theirs, a.conn));
    RDMA_UNTIL(a.num_established == 3);
    receive_all(peer.fd, &ready, 1);
    rdma_settle();
    kill_peer(&peer);
    rdma_post(&a, LONG, LONG, 1);
    RDMA_UNTIL(a.num_disconnects == 1);
    CHECK_OK(rdma_submit(rdma_send(&b, rdma_buf(&b, 0, LONG), 2)));
    RDMA_UNTIL(a.num_done == 1 && b.num_done == 1);
    CHECK_EQ(a.num_ok + b.num_ok, 2);
    rdma_close_both(&a, &b);
    alarm(0);
}

static void forked_child_does_not_hide_the_end_of_a_connection(void)
{
    struct rdma_end a, b;
    uint64_t end;
    pid_t child;

    open_joined(&a, &b);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        alarm(60);
        pause();
        _exit(0);
    }
    CHECK_OK(doca_rdma_connection_disconnect(a.conn));
    for (end = rdma_now_ms() + 2000; b.num_disconnects == 0 && rdma_now_ms() < end;)
        (void)rdma_turn();
    CHECK_EQ(kill(child, SIGKILL), 0);
    CHECK_EQ(waitpid(child, NULL, 0), child);
    CHECK_EQ(b.num_disconnects, 1);
    rdma_close_both(&a, &b);
}

/* ---- entries that are used again ---- */

static void task_of_an_ended_connection_does_not_use_the_next_one(void)
{
    struct rdma_op stale, fresh;
    struct rdma_end e[3];

    open_ends(e, 3);
    rdma_join(&e[0], &e[1]);
    RDMA_UNTIL(e[0].num_established == 1 && e[1].num_established == 1);
    stale = rdma_send(&e[0], rdma_buf(&e[0], 0, SHORT), 1);
    CHECK_OK(doca_rdma_connection_disconnect(e[0].conn));
    RDMA_UNTIL(e[0].num_disconnects == 1 && e[1].num_disconnects == 1);
    rdma_post(&e[2], LONG, LONG, 2);
    rdma_join(&e[0], &e[2]);
    RDMA_UNTIL(e[0].num_established == 2);
    CHECK_OK(rdma_submit(stale));
    rdma_settle();
    CHECK_EQ(e[0].num_done, 1);
    CHECK_RC(rdma_latest(&e[0])->status, DOCA_ERROR_CONNECTION_ABORTED);
    CHECK_EQ(e[2].num_done, 0);
    fresh = rdma_send(&e[0], rdma_buf(&e[0], 0, SHORT), 3);
    CHECK_OK(rdma_run(&e[0], fresh));
    RDMA_UNTIL(e[2].num_ok == 1);
    rdma_stop(&e[2]);
    rdma_close_both(&e[0], &e[1]);
    rdma_destroy(&e[2]);
}

static void set_connection_binds_an_old_task_to_the_new_connection(void)
{
    struct rdma_end e[3];
    struct rdma_op op;

    open_ends(e, 3);
    rdma_join(&e[0], &e[1]);
    RDMA_UNTIL(e[0].num_established == 1 && e[1].num_established == 1);
    op = rdma_send(&e[0], rdma_buf(&e[0], 0, SHORT), 1);
    CHECK_OK(doca_rdma_connection_disconnect(e[0].conn));
    RDMA_UNTIL(e[0].num_disconnects == 1 && e[1].num_disconnects == 1);
    rdma_post(&e[2], LONG, LONG, 2);
    rdma_join(&e[0], &e[2]);
    doca_rdma_task_send_set_rdma_connection(op.task, e[0].conn);
    CHECK_OK(rdma_run(&e[0], op));
    RDMA_UNTIL(e[2].num_ok == 1);
    rdma_stop(&e[2]);
    rdma_close_both(&e[0], &e[1]);
    rdma_destroy(&e[2]);
}

static void export_at_once(struct rdma_end *e, enum rdma_kind kind, void *task, bool is_ok)
{
    struct doca_rdma_connection *c = NULL;
    const void *details;
    size_t len;

    (void)kind;
    (void)task;
    (void)is_ok;
    if (e->num_done == 1)
        CHECK_RC(doca_rdma_export(e->rdma, &details, &len, &c), DOCA_ERROR_FULL);
    if (e->num_done == 3)
        CHECK_OK(doca_rdma_export(e->rdma, &details, &len, &c));
}

static void entry_with_tasks_is_not_used_again(void)
{
    struct rdma_end a, b;
    unsigned i;

    open_with(&a, 0, 1, 7);
    rdma_make(&b, memory[1], BYTES);
    CHECK_OK(doca_rdma_destroy(b.rdma)); /* again, without the connection callbacks */
    CHECK_OK(doca_rdma_create(b.dev, &b.rdma));
    b.ctx = doca_rdma_as_ctx(b.rdma);
    rdma_conf_all(b.rdma, 4);
    CHECK_OK(doca_ctx_set_user_data(b.ctx, (union doca_data){ .ptr = &b }));
    CHECK_OK(doca_pe_connect_ctx(b.pe, b.ctx));
    rdma_start(&b);
    rdma_join(&a, &b);
    RDMA_UNTIL(a.num_established == 1);
    for (i = 0; i < 3; i++)
        CHECK_OK(rdma_submit(rdma_send(&b, rdma_buf(&b, 0, SHORT), i)));
    b.on_done = export_at_once;
    CHECK_OK(doca_rdma_connection_disconnect(b.conn));
    RDMA_UNTIL(b.num_done == 3);
    rdma_close_both(&a, &b);
}

static void handle_of_a_connection_ends_with_the_instance(void)
{
    union doca_data data = { .u64 = 1 };
    struct rdma_end a, b;

    open_joined(&a, &b);
    rdma_stop(&a);
    if (DOCA_CORE_CHECK >= 1) {
        CHECK_RC(doca_rdma_connection_set_user_data(a.conn, data), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_rdma_connection_disconnect(a.conn), DOCA_ERROR_INVALID_VALUE);
    }
    rdma_close_both(&a, &b);
}

static void connect_to_a_peer_that_has_ended_is_aborted(void)
{
    struct rdma_blob of_a, of_b;
    struct rdma_end a, b;

    open_with(&a, 0, 1, 7);
    open_with(&b, 1, 1, 7);
    rdma_export(&a, &of_a);
    rdma_export(&b, &of_b);
    CHECK_OK(rdma_try_connect(&b, &of_a, b.conn));
    rdma_settle();
    rdma_stop(&b);
    rdma_settle();
    CHECK_RC(rdma_try_connect(&a, &of_b, a.conn), DOCA_ERROR_CONNECTION_ABORTED);
    rdma_close_both(&a, &b);
}

/* ---- sleeping ---- */

static void message_without_receive_wakes_its_receiver(void)
{
    struct rdma_end a, b;

    open_with(&a, 0, 1, 0);
    open_with(&b, 1, 1, 7);
    rdma_join(&a, &b);
    RDMA_UNTIL(a.num_established == 1 && b.num_established == 1);
    rdma_settle();
    CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, SHORT), 1)));
    CHECK(wakes(&b, arm(&b), 0)); /* b must report the missing receive task to the sender */
    rdma_settle_end(&b);
    CHECK(!wakes(&b, arm(&b), 0)); /* b reports it only once */
    RDMA_UNTIL(a.num_done == 1);
    CHECK_RC(rdma_latest(&a)->status, DOCA_ERROR_IO_FAILED);
    rdma_close_both(&a, &b);
}

static void sender_that_sleeps_hears_of_the_missing_receive(void)
{
    struct rdma_end a, b;

    open_with(&a, 0, 1, 1);
    open_with(&b, 1, 1, 7);
    rdma_join(&a, &b);
    RDMA_UNTIL(a.num_established == 1 && b.num_established == 1);
    rdma_settle();
    CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, SHORT), 1)));
    rdma_settle_end(&b);
    CHECK(wakes(&a, arm(&a), 0));
    rdma_settle_end(&a);
    CHECK(wakes(&a, arm(&a), 2000)); /* the interval of the retry has passed */
    rdma_settle_end(&a);
    CHECK_EQ(a.num_failed, 1);
    rdma_close_both(&a, &b);
}

static void calls_wake_a_program_that_is_armed(void)
{
    struct rdma_blob of_a, of_b;
    doca_notification_handle_t handle;
    struct rdma_end a, b;

    open_with(&a, 0, 1, 7);
    open_with(&b, 1, 1, 7);
    rdma_export(&a, &of_a);
    rdma_export(&b, &of_b);
    CHECK_OK(rdma_try_connect(&b, &of_a, b.conn));
    rdma_settle();
    handle = arm(&a);
    CHECK_OK(rdma_try_connect(&a, &of_b, a.conn)); /* connected, which is an event */
    CHECK(wakes(&a, handle, 0));
    RDMA_UNTIL(a.num_established == 1 && b.num_established == 1);
    rdma_settle();
    handle = arm(&a);
    CHECK_OK(doca_rdma_connection_disconnect(a.conn));
    CHECK(wakes(&a, handle, 0));
    RDMA_UNTIL(a.num_disconnects == 1);
    rdma_close_both(&a, &b);
}

/* ---- retries ---- */

static void receive_that_comes_in_time_is_not_too_late_for_slow_progress(void)
{
    struct rdma_end a, b;

    open_with(&a, 0, 1, 1);
    open_with(&b, 1, 1, 7);
    rdma_join(&a, &b);
    RDMA_UNTIL(a.num_established == 1 && b.num_established == 1);
    CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, SHORT), 1)));
    rdma_settle_end(&b);
    rdma_settle_end(&a); /* the time of the retry begins */
    rdma_post(&b, LONG, LONG, 2);
    usleep(2 * DOCA_CORE_RDMA_RNR_MS * 1000);
    rdma_settle_end(&a);
    RDMA_UNTIL(a.num_done == 1 && b.num_done == 1);
    CHECK_EQ(a.num_ok + b.num_ok, 2);
    rdma_close_both(&a, &b);
}

/* ---- order ---- */

static void message_behind_a_failed_one_is_not_sent(void)
{
    struct rdma_end a, b;

    open_joined(&a, &b);
    rdma_lend(&b, &a);
    rdma_post(&b, LONG, LONG, 1);
    CHECK_OK(rdma_submit(rdma_send(&a, rdma_far_buf(&a, 0, LONG), 2))); /* not supported */
    CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, SHORT), 3)));
    rdma_settle_end(&b);
    rdma_settle();
    CHECK_EQ(a.num_failed, 2);
    CHECK_EQ(b.num_done, 0);
    rdma_close_both(&a, &b);
}

static void write_again(struct rdma_end *e, enum rdma_kind kind, void *task, bool is_ok)
{
    (void)task;
    CHECK(is_ok);
    if (kind == RDMA_receive)
        e->todo = 0;
    if (kind != RDMA_write || e->todo == 0)
        return;
    e->todo--;
    CHECK_OK(rdma_submit(rdma_write(e, rdma_buf(e, 0, 8), rdma_far_room(e, 64, 8), 1)));
}

static void steady_writes_do_not_keep_messages_out(void)
{
    struct rdma_end a, b;
    unsigned i;

    open_joined(&a, &b);
    rdma_lend(&b, &a);
    rdma_post(&a, LONG, LONG, 1);
    CHECK_OK(rdma_submit(rdma_send(&b, rdma_buf(&b, 0, SHORT), 2)));
    a.on_done = write_again;
    a.todo = MANY;
    CHECK_OK(rdma_submit(rdma_write(&a, rdma_buf(&a, 0, 8), rdma_far_room(&a, 64, 8), 1)));
    for (i = 0; i < MANY / 4 && a.todo > 0; i++)
        (void)rdma_progress(&a);
    CHECK_EQ(a.todo, 0);
    RDMA_UNTIL(b.num_done == 1);
    rdma_settle();
    rdma_close_both(&a, &b);
}

/* ---- listening ---- */

static uint16_t port;

static struct doca_rdma_addr *new_address(void)
{
    static unsigned serial;
    struct doca_rdma_addr *addr = NULL;

    port = (uint16_t)(2000 + ((unsigned)getpid() * 37 + 29 + serial++) % 60000);
    CHECK_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", port, &addr));
    return addr;
}

static doca_error_t ask(struct rdma_end *e, struct doca_rdma_addr *addr)
{
    e->conn = NULL;
    return doca_rdma_connect_to_addr(e->rdma, addr, (union doca_data){ .u64 = 1 });
}

static void accept_it(struct rdma_end *e, struct doca_rdma_connection *c)
{
    (void)e;
    CHECK_OK(doca_rdma_connection_accept(c, NULL, 0));
}

static void accept_and_stop_listening(struct rdma_end *e, struct doca_rdma_connection *c)
{
    CHECK_OK(doca_rdma_stop_listen_to_port(e->rdma, port));
    CHECK_OK(doca_rdma_connection_accept(c, NULL, 0));
}

static void requests_that_were_not_reported_end_with_listening(void)
{
    struct doca_rdma_addr *addr = new_address();
    struct rdma_end e[3];
    unsigned i;

    open_with(&e[0], 0, CLIENTS, 7);
    e[0].on_request = accept_and_stop_listening;
    CHECK_OK(doca_rdma_start_listen_to_port(e[0].rdma, port));
    for (i = 1; i < 3; i++) {
        open_with(&e[i], i, 1, 7);
        CHECK_OK(ask(&e[i], addr));
    }
    RDMA_UNTIL(e[1].num_established + e[1].num_failures == 1 &&
               e[2].num_established + e[2].num_failures == 1);
    CHECK_EQ(e[1].num_established + e[2].num_established, 1);
    CHECK_EQ(e[0].num_requests, 1);
    rdma_stop(&e[2]);
    rdma_close_both(&e[0], &e[1]);
    rdma_destroy(&e[2]);
    CHECK_OK(doca_rdma_addr_destroy(addr));
}

/* Find the address of the socket of this process that listens under a name with this beginning, and
 * connect to it. Returns -1 when its queue is full. */
static int raw_connect(const char *prefix)
{
    int fd, listens, rc, client = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_un address;
    socklen_t len, flag_len;

    CHECK(client >= 0);
    for (fd = 0; fd < FILES; fd++) {
        len = sizeof(address);
        flag_len = sizeof(listens);
        listens = 0;
        memset(&address, 0, sizeof(address));
        if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &flag_len) == 0 && listens != 0 &&
            getsockname(fd, (struct sockaddr *)&address, &len) == 0 &&
            strncmp(address.sun_path + 1, prefix, strlen(prefix)) == 0)
            break;
    }
    CHECK(fd < FILES);
    rc = connect(client, (struct sockaddr *)&address, len);
    if (rc != 0) {
        CHECK_EQ(errno, EAGAIN);
        close(client);
    }
    return rc == 0 ? client : -1;
}

static int crowd[FILES];
static unsigned num_crowd;

static void fill_backlog(const char *prefix)
{
    for (num_crowd = 0; num_crowd < FILES; num_crowd++) {
        crowd[num_crowd] = raw_connect(prefix);
        if (crowd[num_crowd] < 0)
            return;
    }
    CHECK(num_crowd < FILES);
}

static void drop_crowd(void)
{
    while (num_crowd > 0)
        close(crowd[--num_crowd]);
}

static void request_waits_for_room_in_the_queue_of_the_listener(void)
{
    struct doca_rdma_addr *addr = new_address();
    struct rdma_end a, b;

    open_with(&a, 0, CLIENTS, 7);
    a.on_request = accept_it;
    CHECK_OK(doca_rdma_start_listen_to_port(a.rdma, port));
    open_with(&b, 1, 1, 7);
    fill_backlog("doca_core_rdma_p");
    CHECK_OK(ask(&b, addr));
    rdma_settle_end(&b);
    CHECK_EQ(b.num_failures, 0);
    CHECK(wakes(&b, arm(&b), 1000)); /* b must try again */
    RDMA_UNTIL(b.num_established == 1 && a.num_established == 1);
    drop_crowd();
    rdma_close_both(&a, &b);
    CHECK_OK(doca_rdma_addr_destroy(addr));
}

static void request_ends_in_time_when_the_queue_stays_full(void)
{
    struct doca_rdma_addr *addr = new_address();
    struct rdma_end a, b;

    open_with(&a, 0, CLIENTS, 7);
    a.on_request = accept_it;
    CHECK_OK(doca_rdma_start_listen_to_port(a.rdma, port));
    rdma_make(&b, memory[1], BYTES);
    CHECK_OK(doca_rdma_set_connection_request_timeout(b.rdma, 100));
    rdma_start(&b);
    fill_backlog("doca_core_rdma_p");
    CHECK_OK(ask(&b, addr));
    usleep(150000);
    rdma_settle_end(&b);
    CHECK_EQ(b.num_failures, 1);
    drop_crowd();
    rdma_close_both(&a, &b);
    CHECK_OK(doca_rdma_addr_destroy(addr));
}

static void connect_tries_again_while_the_program_sleeps(void)
{
    struct rdma_blob of_a, of_b;
    struct rdma_end a, b;

    open_with(&a, 0, 1, 7);
    rdma_export(&a, &of_a);
    fill_backlog("doca_core_rdma_i");
    open_with(&b, 1, 1, 7);
    rdma_export(&b, &of_b);
    CHECK_OK(rdma_try_connect(&a, &of_b, a.conn));
    CHECK_OK(rdma_try_connect(&b, &of_a, b.conn));
    rdma_settle_end(&b);
    CHECK(wakes(&b, arm(&b), 1000));
    RDMA_UNTIL(a.num_established == 1 && b.num_established == 1);
    drop_crowd();
    rdma_close_both(&a, &b);
}

static void stop_closes_sockets_that_have_not_spoken(void)
{
    struct rdma_end e;
    struct rdma_op op;
    char byte;
    int guest;

    open_with(&e, 0, 1, 7);
    op = rdma_receive(&e, rdma_room(&e, 0, 8), 1);
    guest = raw_connect("doca_core_rdma_i");
    rdma_settle();
    CHECK_EQ(recv(guest, &byte, 1, MSG_DONTWAIT), -1);
    CHECK_RC(doca_ctx_stop(e.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_EQ(recv(guest, &byte, 1, MSG_DONTWAIT), 0);
    rdma_drop(op);
    close(guest);
    rdma_close(&e);
}

/* ---- packets with descriptors ---- */

static unsigned count_files(void)
{
    unsigned num = 0;
    int fd;

    for (fd = 0; fd < FILES; fd++)
        num += fcntl(fd, F_GETFD) >= 0;
    return num;
}

static void send_fds(int fd, const void *data, size_t len, unsigned num)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(8 * sizeof(int))];
    } control;
    struct iovec iov = { (void *)(size_t)data, len };
    struct msghdr msg;
    unsigned i;

    memset(&msg, 0, sizeof(msg));
    memset(&control, 0, sizeof(control));
    msg.msg_iov = &iov;
    msg.msg_iovlen = 1;
    msg.msg_control = &control;
    msg.msg_controllen = CMSG_SPACE(num * sizeof(int));
    control.head.cmsg_level = SOL_SOCKET;
    control.head.cmsg_type = SCM_RIGHTS;
    control.head.cmsg_len = CMSG_LEN(num * sizeof(int));
    for (i = 0; i < num; i++)
        memcpy(CMSG_DATA(&control.head) + i * sizeof(int), &fd, sizeof(int));
    CHECK_EQ(sendmsg(fd, &msg, MSG_NOSIGNAL), (ssize_t)len);
}

static void descriptors_of_any_number_are_closed(void)
{
    static const unsigned char packet[40] = { 1 };
    struct rdma_end e;
    unsigned before, num;
    int guest;

    open_with(&e, 0, 1, 7);
    rdma_settle();
    before = count_files();
    for (num = 1; num <= 8; num++) {
        guest = raw_connect("doca_core_rdma_i");
        send_fds(guest, packet, num % 2 == 0 ? sizeof(packet) : 0, num);
        rdma_settle();
        close(guest);
        CHECK_EQ(count_files(), before);
    }
    rdma_close(&e);
}

/* ---- no free descriptors ---- */

/* Limit the process to `num` more descriptors. A negative `num` restores the former limit. */
static void allow_files(int num)
{
    static struct rlimit usual;
    struct rlimit limit;
    int fd, last = 0;

    if (usual.rlim_cur == 0)
        CHECK_EQ(getrlimit(RLIMIT_NOFILE, &usual), 0);
    limit = usual;
    for (fd = 0; num >= 0 && fd < FILES && last <= num; fd++)
        last += fcntl(fd, F_GETFD) < 0;
    if (num >= 0)
        limit.rlim_cur = (rlim_t)fd - 1; /* fd - 1 is the first that must stay free */
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

static void start_without_descriptors_fails_and_keeps_none(void)
{
    struct rdma_end e;
    unsigned before;
    doca_error_t rc = DOCA_ERROR_UNKNOWN;
    int num;

    rdma_make(&e, memory[0], BYTES);
    before = count_files();
    for (num = 0; rc != DOCA_SUCCESS; num++) {
        CHECK(num < 16);
        CHECK_EQ(count_files(), before);
        allow_files(num);
        rc = doca_ctx_start(e.ctx);
        allow_files(-1);
        CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_OPERATING_SYSTEM);
    }
    rdma_close(&e);
}

static void connect_without_descriptors_fails_and_can_be_repeated(void)
{
    doca_error_t rc = DOCA_ERROR_UNKNOWN;
    struct rdma_blob of_a, of_b;
    struct rdma_end a, b;
    unsigned before;
    int num;

    open_with(&a, 0, 1, 7);
    open_with(&b, 1, 1, 7);
    rdma_export(&a, &of_a);
    rdma_export(&b, &of_b);
    before = count_files();
    for (num = 0; rc != DOCA_SUCCESS; num++) {
        CHECK(num < 16);
        CHECK_EQ(count_files(), before);
        allow_files(num);
        rc = rdma_try_connect(&a, &of_b, a.conn);
        allow_files(-1);
        CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_CONNECTION_ABORTED);
    }
    CHECK_OK(rdma_try_connect(&b, &of_a, b.conn));
    rdma_deliver(&a, &b, 16, 1024, SHORT);
    rdma_close_both(&a, &b);
}

static void greeting_without_descriptors_ends_the_connection_or_waits(void)
{
    struct rdma_blob of_a, of_b;
    struct rdma_end a, b;
    unsigned before, num_ended = 0;
    int num;

    for (num = 0; num < 12; num++) {
        open_with(&a, 0, 1, 7);
        open_with(&b, 1, 1, 7);
        before = count_files();
        rdma_export(&a, &of_a);
        rdma_export(&b, &of_b);
        CHECK_OK(rdma_try_connect(&a, &of_b, a.conn));
        CHECK_OK(rdma_try_connect(&b, &of_a, b.conn));
        allow_files(num);
        rdma_settle();
        allow_files(-1);
        RDMA_UNTIL(a.num_established + a.num_failures > 0 &&
                   b.num_established + b.num_failures > 0);
        if (a.num_failures + b.num_failures == 0) {
            rdma_deliver(&a, &b, 16, 1024, SHORT);
        } else {
            rdma_settle();
            CHECK_EQ(count_files(), before);
            num_ended++;
        }
        rdma_close_both(&a, &b);
    }
    CHECK(num_ended > 0 && num_ended < 12);
}

/* ---- events of another process ---- */

static void lend_event(int fd, uint32_t arg)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_net(dev);
    const uint8_t *data = NULL;
    struct rdma_blob blob;
    char byte;

    (void)arg;
    memset(&blob, 0, sizeof(blob));
    CHECK_OK(doca_sync_event_export_to_remote_net(event, &data, &blob.len));
    CHECK(blob.len <= sizeof(blob.bytes));
    memcpy(blob.bytes, data, blob.len);
    send_all(fd, &blob, sizeof(blob));
    (void)recv(fd, &byte, 1, 0);
}

static void event_of_another_process_is_not_one_of_the_peer(void)
{
    struct doca_sync_event_remote_net *net = NULL;
    struct peer peer = start_peer(lend_event, 0);
    struct rdma_blob blob;
    struct rdma_end a, b;

    open_joined(&a, &b);
    receive_all(peer.fd, &blob, sizeof(blob));
    CHECK_OK(doca_sync_event_remote_net_create_from_export(a.dev, blob.bytes, blob.len, &net));
    CHECK_RC(rdma_run(&a, rdma_event_get(&a, net, rdma_room(&a, LONG, 8))), DOCA_ERROR_IO_FAILED);
    CHECK_OK(doca_sync_event_remote_net_destroy(net));
    rdma_close_both(&a, &b);
    end_peer(&peer);
}

/* ---- deadlines ---- */

static void deadlines_of_two_connections_pass_each_in_its_time(void)
{
    struct rdma_end e[3];
    struct rdma_op late;
    uint64_t begin;
    unsigned i;

    open_with(&e[0], 0, 2, 3);
    for (i = 1; i < 3; i++) {
        open_with(&e[i], i, 1, 7);
        rdma_join(&e[0], &e[i]);
        RDMA_UNTIL(e[0].num_established == i);
        if (i == 1)
            CHECK_OK(rdma_submit(rdma_send(&e[0], rdma_buf(&e[0], 0, SHORT), i)));
        else
            late = rdma_send(&e[0], rdma_buf(&e[0], 0, SHORT), i);
    }
    begin = rdma_now_ms();
    RDMA_WAIT(rdma_turn(), 2 * (rdma_now_ms() - begin) >= 5 * DOCA_CORE_RDMA_RNR_MS);
    CHECK_EQ(e[0].num_done, 0);
    CHECK_OK(rdma_submit(late));
    RDMA_UNTIL(e[0].num_done == 1);
    CHECK_EQ(rdma_latest(&e[0])->number, 1);
    CHECK(rdma_now_ms() - begin < 5 * DOCA_CORE_RDMA_RNR_MS);
    RDMA_UNTIL(e[0].num_done == 2);
    CHECK_EQ(rdma_latest(&e[0])->number, 2);
    CHECK(rdma_now_ms() - begin >= 5 * DOCA_CORE_RDMA_RNR_MS);
    CHECK_EQ(e[0].num_failed, 2);
    rdma_stop(&e[2]);
    rdma_close_both(&e[0], &e[1]);
    rdma_destroy(&e[2]);
}

static void request_times_out_while_the_program_sleeps(void)
{
    struct doca_rdma_addr *addr = new_address();
    struct rdma_end a, b;

    open_with(&a, 0, CLIENTS, 7);
    CHECK_OK(doca_rdma_start_listen_to_port(a.rdma, port));
    rdma_make(&b, memory[1], BYTES);
    CHECK_OK(doca_rdma_set_connection_request_timeout(b.rdma, 500));
    rdma_start(&b);
    CHECK_OK(ask(&b, addr));
    rdma_settle_end(&b);
    CHECK(wakes(&b, arm(&b), 5000));
    rdma_settle_end(&b);
    CHECK_EQ(b.num_failures, 1);
    CHECK(!wakes(&b, arm(&b), 100));
    rdma_close_both(&a, &b);
    CHECK_OK(doca_rdma_addr_destroy(addr));
}

/* ---- threads ---- */

static pthread_mutex_t setup = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;

/* One of the two threads, with the data that it passes to the other thread. */
static struct side {
    pthread_t thread;
    struct rdma_end e;
    struct rdma_blob blob;
    const void *desc;
    size_t desc_len;
} sides[2];

static void open_side(struct side *s)
{
    const unsigned index = (unsigned)(s - sides);

    pthread_mutex_lock(&setup);
    rdma_forget_ends();
    open_with(&s->e, index, 1, 7);
    rdma_export(&s->e, &s->blob);
    CHECK_OK(doca_mmap_export_rdma(s->e.map, s->e.dev, &s->desc, &s->desc_len));
    pthread_mutex_unlock(&setup);
    pthread_barrier_wait(&barrier);
}

static void *run_side(void *argument)
{
    struct side *s = argument, *other = &sides[s == sides];
    struct rdma_end *e = &s->e;
    unsigned i;

    open_side(s);
    rdma_import(e, other->desc, other->desc_len, other->e.memory);
    CHECK_OK(rdma_try_connect(e, &other->blob, e->conn));
    for (i = 0; i < MANY; i++) {
        rdma_post(e, BYTES / 2, LONG, i);
        CHECK_OK(rdma_submit(rdma_send(e, rdma_buf(e, 0, i % 2 == 0 ? SHORT : LONG), i)));
        CHECK_OK(rdma_submit(
            rdma_add(e, rdma_far_buf(e, BYTES - 8, 8), rdma_room(e, BYTES - 16, 8), 1, i)));
        RDMA_UNTIL(e->num_done == 3 * (i + 1));
    }
    CHECK_EQ(e->num_failed, 0);
    pthread_barrier_wait(&barrier);
    rdma_stop(e);
    pthread_barrier_wait(&barrier);
    pthread_mutex_lock(&setup);
    rdma_destroy(e);
    pthread_mutex_unlock(&setup);
    return NULL;
}

/* The sink of the fixtures keeps the latest line for one thread. */
static void no_sink(uint32_t level, enum doca_core_item item, const char *line, void *user)
{
    (void)level;
    (void)item;
    (void)line;
    (void)user;
}

static void two_threads_have_an_instance_each(void)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    uint64_t before[2], after;
    unsigned i;

    doca_core_log_set_sink(no_sink, NULL);
    CHECK_EQ(pthread_barrier_init(&barrier, NULL, 2), 0);
    for (i = 0; i < 2; i++) {
        share_fill(memory[i], BYTES, i + 1);
        memcpy(&before[i], memory[i] + BYTES - 8, 8);
        CHECK_EQ(pthread_create(&sides[i].thread, NULL, run_side, &sides[i]), 0);
    }
    for (i = 0; i < 2; i++) {
        CHECK_EQ(pthread_join(sides[i].thread, NULL), 0);
        memcpy(&after, memory[i] + BYTES - 8, 8);
        CHECK_EQ(after - before[i], MANY);
    }
    heap_trap_set(mode);
}

/* ---- callbacks ---- */

static jmp_buf leave;

static void jump(struct rdma_end *e, struct doca_rdma_connection *c)
{
    (void)e;
    (void)c;
    longjmp(leave, 1);
}

static void connection_is_free_after_a_callback_that_jumped(void)
{
    struct rdma_end a, b;

    open_joined(&a, &b);
    a.on_disconnect = jump;
    CHECK_OK(doca_rdma_connection_disconnect(a.conn));
    if (setjmp(leave) == 0)
        RDMA_UNTIL(a.num_done > 0);
    rdma_progressing = NULL;
    CHECK_EQ(a.num_disconnects, 1);
    a.on_disconnect = NULL;
    RDMA_UNTIL(b.num_disconnects == 1);
    rdma_join(&a, &b);
    rdma_deliver(&a, &b, 16, 1024, SHORT);
    rdma_close_both(&a, &b);
}

static const struct test_case cases[] = {
    CASE(message_of_a_killed_sender_does_not_block_other_connections, ""),
    CASE(forked_child_does_not_hide_the_end_of_a_connection, ""),
    CASE(task_of_an_ended_connection_does_not_use_the_next_one, ""),
    CASE(set_connection_binds_an_old_task_to_the_new_connection, ""),
    CASE(entry_with_tasks_is_not_used_again, ""),
    CASE(handle_of_a_connection_ends_with_the_instance, ""),
    CASE(connect_to_a_peer_that_has_ended_is_aborted, ""),
    CASE(message_without_receive_wakes_its_receiver, ""),
    CASE(sender_that_sleeps_hears_of_the_missing_receive, ""),
    CASE(calls_wake_a_program_that_is_armed, ""),
    CASE(receive_that_comes_in_time_is_not_too_late_for_slow_progress, ""),
    CASE(message_behind_a_failed_one_is_not_sent, ""),
    CASE(steady_writes_do_not_keep_messages_out, ""),
    CASE(requests_that_were_not_reported_end_with_listening, ""),
    CASE(request_waits_for_room_in_the_queue_of_the_listener, ""),
    CASE(request_ends_in_time_when_the_queue_stays_full, ""),
    CASE(connect_tries_again_while_the_program_sleeps, ""),
    CASE(stop_closes_sockets_that_have_not_spoken, ""),
    CASE(descriptors_of_any_number_are_closed, ""),
    CASE(start_without_descriptors_fails_and_keeps_none, ""),
    CASE(connect_without_descriptors_fails_and_can_be_repeated, ""),
    CASE(greeting_without_descriptors_ends_the_connection_or_waits, ""),
    CASE(event_of_another_process_is_not_one_of_the_peer, ""),
    CASE(deadlines_of_two_connections_pass_each_in_its_time, ""),
    CASE(request_times_out_while_the_program_sleeps, ""),
    CASE(two_threads_have_an_instance_each, ""),
    CASE(connection_is_free_after_a_callback_that_jumped, ""),
};

TEST_MAIN(cases)

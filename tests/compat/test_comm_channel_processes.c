/* The Comm Channel between two processes: requests and answers, and processes that are killed at
 * random moments. Every wait has a time limit. */
#include "comm_end.h"

#include <signal.h>

enum {
    REQUESTS = 1000,
    KILLS = 50,
    SIGN_MS = 5000 /* until the end of the other process must be noticed */
};

/* A message: a number, and bytes that are computed from the number. */
struct message {
    uint32_t number;
    unsigned char bytes[200];
};

static struct message make_message(uint32_t number)
{
    struct message m;
    size_t i;

    m.number = number;
    for (i = 0; i < sizeof(m.bytes); i++)
        m.bytes[i] = (unsigned char)(number + i);
    return m;
}

/* Check a received message; returns its number. */
static uint32_t check_message(const struct comm_end *e)
{
    struct message m, want;

    CHECK_EQ(e->len, sizeof(m));
    memcpy(&m, e->text, sizeof(m));
    want = make_message(m.number);
    CHECK_MEM(&m, &want, sizeof(m));
    return m.number;
}

static doca_error_t send_number(struct comm_end *e, struct doca_comm_channel_addr_t *peer,
                                uint32_t number)
{
    struct message m = make_message(number);

    return doca_comm_channel_ep_sendto(e->ep, &m, sizeof(m), DOCA_CC_MSG_FLAG_NONE, peer);
}

static void connect_to_other_process(struct comm_end *e, const char *name)
{
    doca_error_t rc;

    CHECK_OK(doca_comm_channel_ep_connect(e->ep, name, &e->peer));
    COMM_UNTIL((rc = doca_comm_channel_peer_addr_update_info(e->peer)) !=
                   DOCA_ERROR_CONNECTION_INPROGRESS,
               usleep(100));
    CHECK_OK(rc);
}

/* ---- children: all of them end by _exit() or are killed ---- */

/* Answer each message of any client until the program ends. */
__attribute__((noreturn)) static void serve(const char *name, int ready_fd)
{
    struct comm_end e;
    doca_error_t rc;
    int fd;

    comm_create(&e, true);
    CHECK_OK(doca_comm_channel_ep_listen(e.ep, name));
    CHECK_OK(doca_comm_channel_ep_get_event_channel(e.ep, NULL, &fd));
    CHECK_EQ(write(ready_fd, "!", 1), 1);
    for (;;) {
        rc = comm_receive(&e);
        if (rc == DOCA_ERROR_AGAIN) {
            (void)comm_is_readable(fd, 1000);
            continue;
        }
        CHECK_OK(rc);
        do {
            rc = send_number(&e, e.from, check_message(&e));
        } while (rc == DOCA_ERROR_AGAIN);
        CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_CONNECTION_RESET);
    }
}

/* Send numbered messages without end. */
__attribute__((noreturn)) static void talk(const char *name)
{
    struct comm_end e;
    uint32_t number = 0;
    doca_error_t rc;

    comm_create(&e, false);
    connect_to_other_process(&e, name);
    for (;;) {
        rc = send_number(&e, e.peer, number);
        CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_AGAIN);
        number += rc == DOCA_SUCCESS;
    }
}

/* ---- cases ---- */

static void kill_child(pid_t pid)
{
    int status;

    peer_forget(pid);
    CHECK_EQ(kill(pid, SIGKILL), 0);
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static pid_t start_service(const char *name)
{
    int ready[2];
    char byte;
    pid_t pid;

    CHECK_EQ(pipe(ready), 0);
    pid = test_peer();
    if (pid == 0)
        serve(name, ready[1]);
    CHECK_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return pid;
}

static void another_process_answers(void)
{
    const char *name = comm_name();
    pid_t pid = start_service(name);
    struct comm_end e;
    doca_error_t rc;
    uint32_t i;
    int fd;

    comm_create(&e, false);
    connect_to_other_process(&e, name);
    CHECK_OK(doca_comm_channel_ep_get_event_channel(e.ep, NULL, &fd));
    for (i = 0; i < REQUESTS; i++) {
        CHECK_OK(send_number(&e, e.peer, i));
        while ((rc = comm_receive(&e)) == DOCA_ERROR_AGAIN)
            CHECK(comm_is_readable(fd, COMM_PATIENCE_MS));
        CHECK_OK(rc);
        CHECK_EQ(check_message(&e), i);
    }
    comm_destroy(&e);
    kill_child(pid);
}

static void a_killed_service_is_noticed(void)
{
    const char *name = comm_name();
    struct comm_end e;
    uint32_t sent, received;
    unsigned round;
    uint64_t end;
    doca_error_t rc;
    pid_t pid;

    comm_create(&e, false);
    for (round = 0; round < KILLS; round++) {
        pid = start_service(name);
        connect_to_other_process(&e, name);
        sent = received = 0;
        while (received < round * 3) {
            rc = send_number(&e, e.peer, sent);
            CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_AGAIN);
            sent += rc == DOCA_SUCCESS;
            rc = comm_receive(&e);
            CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_AGAIN);
            if (rc == DOCA_SUCCESS)
                CHECK_EQ(check_message(&e), received++);
        }
        kill_child(pid);
        end = comm_now_ms() + SIGN_MS;
        while ((rc = comm_receive(&e)) != DOCA_ERROR_CONNECTION_RESET) {
            CHECK(comm_now_ms() < end);
            if (rc == DOCA_SUCCESS) /* the answers of the dead are still delivered, in order */
                CHECK_EQ(check_message(&e), received++);
            else
                CHECK_RC(rc, DOCA_ERROR_AGAIN);
        }
        CHECK(received <= sent);
        CHECK_RC(send_number(&e, e.peer, 0), DOCA_ERROR_CONNECTION_RESET);
        CHECK_RC(doca_comm_channel_peer_addr_update_info(e.peer), DOCA_ERROR_CONNECTION_ABORTED);
        CHECK_OK(doca_comm_channel_ep_disconnect(e.ep, e.peer));
    }
    comm_destroy(&e);
}

static void a_killed_client_is_noticed(void)
{
    const char *name = comm_name();
    struct doca_comm_channel_addr_t *peer, **peers;
    struct comm_end e;
    uint32_t received, num;
    unsigned round;
    uint64_t end;
    doca_error_t rc;
    pid_t pid;
    int fd;

    comm_create(&e, true);
    CHECK_OK(doca_comm_channel_ep_listen(e.ep, name));
    CHECK_OK(doca_comm_channel_ep_get_service_event_channel(e.ep, &fd));
    for (round = 0; round < KILLS; round++) {
        pid = test_peer();
        if (pid == 0)
            talk(name);
        for (received = 0; received <= round * 5;) {
            rc = comm_receive(&e);
            CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_AGAIN);
            if (rc == DOCA_SUCCESS)
                CHECK_EQ(check_message(&e), received++);
        }
        peer = e.from;
        CHECK_OK(doca_comm_channel_ep_update_service_state_info(e.ep));
        CHECK_OK(doca_comm_channel_ep_get_peer_addr_list(e.ep, &peers, &num));
        CHECK(num == 1 && peers[0] == peer);
        kill_child(pid);
        CHECK(comm_is_readable(fd, SIGN_MS));
        CHECK_RC(doca_comm_channel_peer_addr_update_info(peer), DOCA_ERROR_CONNECTION_ABORTED);
        CHECK_RC(send_number(&e, peer, 0), DOCA_ERROR_CONNECTION_RESET);
        end = comm_now_ms() + SIGN_MS;
        while (round % 2 == 0 && (rc = comm_receive(&e)) != DOCA_ERROR_AGAIN) {
            CHECK(comm_now_ms() < end);
            CHECK_OK(rc);
            CHECK_EQ(check_message(&e), received++);
            CHECK_PTR(e.from, peer);
        }
        CHECK_OK(doca_comm_channel_ep_disconnect(e.ep, peer));
        CHECK_RC(comm_receive(&e), DOCA_ERROR_AGAIN);
        CHECK_OK(doca_comm_channel_ep_update_service_state_info(e.ep));
        CHECK_OK(doca_comm_channel_ep_get_peer_addr_list(e.ep, &peers, &num));
        CHECK_EQ(num, 0);
    }
    comm_destroy(&e);
}

/* A peer that does not read delays nothing: neither a disconnect nor a destroy. */
static void a_stopped_peer_delays_nothing(void)
{
    const char *name = comm_name();
    pid_t pid = start_service(name);
    struct comm_end e;
    uint64_t begin;
    unsigned i;

    comm_create(&e, false);
    for (i = 0; i < 3; i++) {
        connect_to_other_process(&e, name);
        CHECK_EQ(kill(pid, SIGSTOP), 0);
        while (send_number(&e, e.peer, 0) == DOCA_SUCCESS)
            ;
        begin = comm_now_ms();
        CHECK_OK(doca_comm_channel_ep_disconnect(e.ep, e.peer));
        CHECK_OK(doca_comm_channel_ep_connect(e.ep, name, &e.peer)); /* the kernel queues it */
        CHECK_RC(doca_comm_channel_peer_addr_update_info(e.peer), DOCA_ERROR_CONNECTION_INPROGRESS);
        CHECK_OK(doca_comm_channel_ep_disconnect(e.ep, e.peer));
        CHECK(comm_now_ms() - begin < SIGN_MS);
        CHECK_EQ(kill(pid, SIGCONT), 0);
    }
    comm_destroy(&e);
    kill_child(pid);
}

static const struct test_case cases[] = {
    CASE(another_process_answers, ""),
    CASE(a_killed_service_is_noticed, ""),
    CASE(a_killed_client_is_noticed, ""),
    CASE(a_stopped_peer_delays_nothing, ""),
};

TEST_MAIN(cases)

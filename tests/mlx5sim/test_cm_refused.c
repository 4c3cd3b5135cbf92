/* The emulated rdma_cm device: commands that the kernel refuses, each with its errno. */
#define _GNU_SOURCE
#include "cm_rig.h"

#include <sys/mman.h>

enum { MISSING = 4242 };

/* All commands that name an identifier: the length of the command, the offset of the identifier,
 * and the bytes of the smallest answer. */
static const struct {
    const char *name;
    uint32_t number;
    size_t bytes, at, room;
} with_id[] = {
#define WITH_ID(command, type, room)                                                               \
    {                                                                                              \
#command, RDMA_USER_CM_CMD_##command, sizeof(struct type), offsetof(struct type, id), room \
    }
    WITH_ID(DESTROY_ID, rdma_ucm_destroy_id, 4),
    WITH_ID(BIND_IP, rdma_ucm_bind_ip, 0),
    WITH_ID(BIND, rdma_ucm_bind, 0),
    WITH_ID(RESOLVE_IP, rdma_ucm_resolve_ip, 0),
    WITH_ID(RESOLVE_ADDR, rdma_ucm_resolve_addr, 0),
    WITH_ID(RESOLVE_ROUTE, rdma_ucm_resolve_route, 0),
    WITH_ID(QUERY_ROUTE, rdma_ucm_query, offsetof(struct rdma_ucm_query_route_resp, ibdev_index)),
    WITH_ID(QUERY, rdma_ucm_query, 0),
    WITH_ID(CONNECT, rdma_ucm_connect, 0),
    WITH_ID(LISTEN, rdma_ucm_listen, 0),
    WITH_ID(ACCEPT, rdma_ucm_accept, 0),
    WITH_ID(REJECT, rdma_ucm_reject, 0),
    WITH_ID(DISCONNECT, rdma_ucm_disconnect, 0),
    WITH_ID(INIT_QP_ATTR, rdma_ucm_init_qp_attr, sizeof(struct ib_uverbs_qp_attr)),
    WITH_ID(SET_OPTION, rdma_ucm_set_option, 0),
    WITH_ID(NOTIFY, rdma_ucm_notify, 0),
    WITH_ID(JOIN_IP_MCAST, rdma_ucm_join_ip_mcast, 4),
    WITH_ID(JOIN_MCAST, rdma_ucm_join_mcast, 4),
    WITH_ID(LEAVE_MCAST, rdma_ucm_destroy_id, 4),
};

enum { NUM_WITH_ID = sizeof(with_id) / sizeof(with_id[0]) };

static unsigned char answer[1024];

/* Fill a command with an identifier, and with addresses and parameters that are valid. */
static void fill(size_t i, uint32_t id, void *command_bytes)
{
    struct sockaddr_in addr = ipv4("127.0.0.1", 0);
    union {
        unsigned char bytes[1024];
        struct rdma_ucm_bind_ip bind_ip;
        struct rdma_ucm_bind bind;
        struct rdma_ucm_resolve_ip resolve_ip;
        struct rdma_ucm_resolve_addr resolve_addr;
        struct rdma_ucm_connect connect;
        struct rdma_ucm_join_ip_mcast join_ip;
        struct rdma_ucm_join_mcast join;
        uint64_t response;
    } *cmd = command_bytes;

    memset(cmd, 0, sizeof(*cmd));
    switch (with_id[i].number) {
    case RDMA_USER_CM_CMD_BIND_IP:
        memcpy(&cmd->bind_ip.addr, &addr, sizeof(addr));
        break;
    case RDMA_USER_CM_CMD_BIND:
        memcpy(&cmd->bind.addr, &addr, sizeof(addr));
        cmd->bind.addr_size = sizeof(addr);
        break;
    case RDMA_USER_CM_CMD_RESOLVE_IP:
        memcpy(&cmd->resolve_ip.dst_addr, &addr, sizeof(addr));
        break;
    case RDMA_USER_CM_CMD_RESOLVE_ADDR:
        memcpy(&cmd->resolve_addr.dst_addr, &addr, sizeof(addr));
        cmd->resolve_addr.dst_size = sizeof(addr);
        break;
    case RDMA_USER_CM_CMD_CONNECT:
        cmd->connect.conn_param.valid = 1;
        break;
    case RDMA_USER_CM_CMD_JOIN_IP_MCAST:
        memcpy(&cmd->join_ip.addr, &addr, sizeof(addr));
        break;
    case RDMA_USER_CM_CMD_JOIN_MCAST:
        memcpy(&cmd->join.addr, &addr, sizeof(addr));
        cmd->join.addr_size = sizeof(addr);
        break;
    default:
        break;
    }
    if (with_id[i].room > 0)
        cmd->response = address(answer);
    memcpy(cmd->bytes + with_id[i].at, &id, sizeof(id));
}

static int run(int fd, size_t i, uint32_t id)
{
    unsigned char cmd[1024] __attribute__((aligned(8)));

    fill(i, id, cmd);
    return command(fd, with_id[i].number, cmd, with_id[i].bytes, with_id[i].room);
}

static void identifier_that_does_not_exist_is_refused(void)
{
    int fd = cm_open(0);

    for (size_t i = 0; i < NUM_WITH_ID; i++) {
        int err = run(fd, i, MISSING);

        if (err != ENOENT)
            rig_fail(__FILE__, __LINE__, "%s: error %d", with_id[i].name, err);
    }
    close(fd);
}

static void identifier_of_another_descriptor_is_refused(void)
{
    int fd = cm_open(0), other = cm_open(0);
    uint32_t id = cm_create(other, 1, RDMA_PS_TCP);

    for (size_t i = 0; i < NUM_WITH_ID; i++) {
        int err = run(fd, i, id);

        if (err != (with_id[i].number == RDMA_USER_CM_CMD_LEAVE_MCAST ? ENOENT : EINVAL))
            rig_fail(__FILE__, __LINE__, "%s: error %d", with_id[i].name, err);
    }
    CHECK_EQ(cm_destroy(other, id), 0);
    close(fd);
    close(other);
}

static void answer_without_room_is_refused(void)
{
    unsigned char cmd[1024] __attribute__((aligned(8)));
    struct rdma_ucm_create_id create = { .response = address(answer), .ps = RDMA_PS_TCP };
    struct rdma_ucm_get_event get = { address(answer) };
    struct rdma_ucm_query query = { .response = address(answer) };
    int fd = cm_open(O_NONBLOCK);
    uint32_t id = cm_create(fd, 1, RDMA_PS_TCP);

    for (size_t i = 0; i < NUM_WITH_ID; i++) {
        int err;

        if (with_id[i].room == 0)
            continue;
        fill(i, id, cmd);
        err = command(fd, with_id[i].number, cmd, with_id[i].bytes, with_id[i].room - 1);
        if (err != ENOSPC)
            rig_fail(__FILE__, __LINE__, "%s: error %d", with_id[i].name, err);
    }
    query.id = id;
    for (query.option = 0; query.option < 3; query.option++)
        CHECK_EQ(command(fd, RDMA_USER_CM_CMD_QUERY, &query, sizeof(query), 7), ENOSPC);
    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_CREATE_ID, &create, sizeof(create), 3), ENOSPC);
    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_GET_EVENT, &get, sizeof(get),
                     offsetof(struct rdma_ucm_event_resp, reserved) - 1),
             ENOSPC);
    close(fd);
}

static void wrong_length_is_refused(void)
{
    struct rdma_ucm_cmd_hdr hdr = { RDMA_USER_CM_CMD_DESTROY_ID, 100, 4 };
    struct rdma_ucm_connect connect = { .conn_param = { .valid = 1 } };
    struct rdma_ucm_accept accept = { .uid = 1 };
    int fd = cm_open(0);

    CHECK_EQ(write(fd, &hdr, 0), -1);
    CHECK_EQ(errno, EINVAL);
    CHECK_EQ(write(fd, &hdr, sizeof(hdr) - 1), -1);
    CHECK_EQ(errno, EINVAL);
    CHECK_EQ(write(fd, &hdr, sizeof(hdr)), -1); /* shorter than the header says */
    CHECK_EQ(errno, EINVAL);
    connect.id = accept.id = cm_create(fd, 1, RDMA_PS_TCP);
    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_CONNECT, &connect,
                     offsetof(struct rdma_ucm_connect, ece) - 1, 0),
             EINVAL);
    CHECK_EQ(
        command(fd, RDMA_USER_CM_CMD_ACCEPT, &accept, offsetof(struct rdma_ucm_accept, ece) - 1, 0),
        EINVAL);
    close(fd);
}

static void unknown_commands_are_refused(void)
{
    struct rdma_ucm_query query = { .response = address(answer), .option = 4 };
    int fd = cm_open(0);

    CHECK_EQ(command(fd, 25, answer, 16, 16), EINVAL);
    CHECK_EQ(command(fd, 0xffffffff, answer, 16, 16), EINVAL);
    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_GET_OPTION, answer, 16, 16), ENOSYS);
    query.id = cm_create(fd, 1, RDMA_PS_TCP);
    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_QUERY, &query, sizeof(query), 1024), ENOSYS);
    close(fd);
}

static void memory_that_is_not_mapped_is_refused(void)
{
    struct rdma_ucm_create_id create = { .response = 8, .ps = RDMA_PS_TCP };
    struct rdma_ucm_get_event get = { 8 };
    void *hole = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int fd = cm_open(O_NONBLOCK);
    uint32_t id;

    CHECK(hole != MAP_FAILED);
    for (size_t bytes = 8; bytes <= 32; bytes += 8) { /* among them the length of MIGRATE_ID */
        CHECK_EQ(write(fd, hole, bytes), -1);
        CHECK_EQ(errno, EFAULT);
    }
    munmap(hole, 4096);
    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_CREATE_ID, &create, sizeof(create), 4), EFAULT);
    id = cm_create(fd, 1, RDMA_PS_TCP);
    CHECK_EQ(cm_resolve(fd, id, "127.0.0.1", 1, 0), 0);
    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_GET_EVENT, &get, sizeof(get),
                     sizeof(struct rdma_ucm_event_resp)),
             EFAULT);
    cm_expect(fd, ADDR_RESOLVED, 1); /* the event is still there */
    close(fd);
}

static void wrong_addresses_are_refused(void)
{
    struct rdma_ucm_bind bind = { .addr_size = sizeof(struct sockaddr_in) };
    struct rdma_ucm_resolve_addr resolve = { .dst_size = sizeof(struct sockaddr_in) };
    struct sockaddr_in addr = ipv4("127.0.0.1", 0);
    int fd = cm_open(0);
    uint32_t id = cm_create(fd, 1, RDMA_PS_TCP), other = cm_create(fd, 2, RDMA_PS_TCP);

    bind.id = resolve.id = id;
    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_BIND, &bind, sizeof(bind), 0), EINVAL); /* no family */
    memcpy(&bind.addr, &addr, sizeof(addr));
    bind.addr_size--;
    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_BIND, &bind, sizeof(bind), 0), EINVAL);
    bind.addr_size++;
    bind.reserved = 1;
    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_BIND, &bind, sizeof(bind), 0), EINVAL);
    CHECK_EQ(cm_bind(fd, id, "203.0.113.77", 0), EADDRNOTAVAIL);
    CHECK_EQ(cm_bind(fd, id, "127.0.0.1", CM_PORT), 0);
    CHECK_EQ(cm_bind(fd, id, "127.0.0.1", CM_PORT), EINVAL); /* bound already */
    CHECK_EQ(cm_bind(fd, other, "127.0.0.1", CM_PORT), EADDRINUSE);
    CHECK_EQ(cm_bind(fd, other, "0.0.0.0", CM_PORT), EADDRNOTAVAIL);
    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_RESOLVE_ADDR, &resolve, sizeof(resolve), 0), EINVAL);
    memcpy(&resolve.dst_addr, &addr, sizeof(addr));
    resolve.reserved = 1;
    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_RESOLVE_ADDR, &resolve, sizeof(resolve), 0), EINVAL);
    resolve.reserved = 0;
    resolve.src_size = 3;
    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_RESOLVE_ADDR, &resolve, sizeof(resolve), 0), EINVAL);
    close(fd);
    fd = cm_open(0); /* the port is free again with its identifier */
    id = cm_create(fd, 1, RDMA_PS_TCP);
    CHECK_EQ(cm_bind(fd, id, "127.0.0.1", CM_PORT), 0);
    close(fd);
}

static int set_option(int fd, uint32_t id, uint32_t level, uint32_t name, uint32_t bytes)
{
    static const unsigned char one[1024] = { 1 };
    struct rdma_ucm_set_option cmd = {
        .optval = address(one), .id = id, .level = level, .optname = name, .optlen = bytes
    };

    return command(fd, RDMA_USER_CM_CMD_SET_OPTION, &cmd, sizeof(cmd), 0);
}

static void wrong_options_are_refused(void)
{
    int fd = cm_open(0);
    uint32_t id = cm_create(fd, 1, RDMA_PS_TCP), other = cm_create(fd, 2, RDMA_PS_TCP);
    uint32_t datagram = cm_create(fd, 3, RDMA_PS_UDP);

    CHECK_EQ(set_option(fd, id, 2, 0, 1), ENOSYS);
    CHECK_EQ(set_option(fd, id, RDMA_OPTION_ID, 9, 1), ENOSYS);
    CHECK_EQ(set_option(fd, id, RDMA_OPTION_IB, 0, 72), ENOSYS);
    CHECK_EQ(set_option(fd, id, RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, 4), EINVAL);
    CHECK_EQ(set_option(fd, id, RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, 1), 0);
    CHECK_EQ(set_option(fd, id, RDMA_OPTION_ID, RDMA_OPTION_ID_REUSEADDR, 1), EINVAL);
    CHECK_EQ(set_option(fd, id, RDMA_OPTION_ID, RDMA_OPTION_ID_REUSEADDR, 4), 0);
    CHECK_EQ(set_option(fd, other, RDMA_OPTION_ID, RDMA_OPTION_ID_REUSEADDR, 4), 0);
    CHECK_EQ(set_option(fd, datagram, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, 1), EINVAL);
    CHECK_EQ(set_option(fd, id, RDMA_OPTION_ID, RDMA_OPTION_ID_ACK_TIMEOUT, 1), 0);
    CHECK_EQ(set_option(fd, id, RDMA_OPTION_IB, RDMA_OPTION_IB_PATH, 72), EINVAL); /* no device */
    CHECK_EQ(cm_bind(fd, id, "127.0.0.1", CM_PORT), 0);
    CHECK_EQ(cm_bind(fd, other, "127.0.0.1", CM_PORT), 0); /* as both have REUSEADDR */
    CHECK_EQ(set_option(fd, id, RDMA_OPTION_IB, RDMA_OPTION_IB_PATH, 71), EINVAL);
    CHECK_EQ(cm_listen(fd, id, 1), EADDRINUSE); /* a listener shares its port with nobody */
    cm_destroy(fd, other);
    CHECK_EQ(cm_listen(fd, id, 1), 0);
    other = cm_create(fd, 2, RDMA_PS_TCP);
    CHECK_EQ(set_option(fd, other, RDMA_OPTION_ID, RDMA_OPTION_ID_REUSEADDR, 4), 0);
    CHECK_EQ(cm_bind(fd, other, "127.0.0.1", CM_PORT), EADDRINUSE);
    CHECK_EQ(set_option(fd, id, RDMA_OPTION_ID, RDMA_OPTION_ID_AFONLY, 4), EINVAL);
    close(fd);
}

static int notify_established(int fd, uint32_t id, uint32_t event)
{
    struct rdma_ucm_notify cmd = { .id = id, .event = event };

    return command(fd, RDMA_USER_CM_CMD_NOTIFY, &cmd, sizeof(cmd), 0);
}

/* Commands in each state of an identifier that do not fit to the state. */
static void commands_in_a_wrong_state_are_refused(void)
{
    struct cm_pair p = { .at = cm_open(0), .of = cm_open(0) };
    struct ib_uverbs_qp_attr attr;
    uint32_t id = cm_create(p.of, 9, RDMA_PS_TCP);
    char long_data[58];

    CHECK_EQ(cm_route(p.of, id), EINVAL);
    CHECK_EQ(cm_connect(p.of, id, ""), EINVAL);
    CHECK_EQ(cm_accept(p.of, id, 0), EINVAL);
    CHECK_EQ(cm_reject(p.of, id, ""), EINVAL);
    CHECK_EQ(cm_disconnect(p.of, id), EINVAL);
    CHECK_EQ(notify_established(p.of, id, 4), EINVAL);
    CHECK_EQ(cm_qp_attr(p.of, id, IBV_QPS_INIT, &attr), EINVAL); /* `id` has no device */
    p.listener = cm_listener(p.at, LISTENER_UID, 4);
    CHECK_EQ(cm_listen(p.at, p.listener, 4), EINVAL);
    CHECK_EQ(cm_resolve(p.at, p.listener, "127.0.0.1", 1, 0), EINVAL);
    CHECK_EQ(cm_disconnect(p.at, p.listener), EINVAL);

    p.client = cm_client(p.of, CLIENT_UID, RDMA_PS_TCP);
    CHECK_EQ(cm_route(p.of, p.client), EINVAL);
    CHECK_EQ(cm_resolve(p.of, p.client, "127.0.0.1", 1, 0), EINVAL);
    CHECK_EQ(cm_disconnect(p.of, p.client), EINVAL);
    CHECK_EQ(cm_qp_attr(p.of, p.client, IBV_QPS_ERR + 1, &attr), EINVAL);
    memset(long_data, 'x', sizeof(long_data) - 1);
    long_data[57] = '\0';
    CHECK_EQ(cm_connect(p.of, p.client, long_data), EINVAL);
    long_data[56] = '\0'; /* the longest data of a request */
    CHECK_EQ(cm_connect(p.of, p.client, long_data), 0);
    CHECK_EQ(cm_connect(p.of, p.client, ""), EINVAL);
    CHECK_EQ(cm_accept(p.of, p.client, 0), EINVAL); /* also ends the request of the client */
    p.server = cm_expect(p.at, CONNECT_REQUEST, LISTENER_UID).id;
    CHECK_EQ(cm_accept(p.at, p.server, SERVER_UID), EINVAL);
    cm_destroy(p.at, p.listener);
    cm_close(&p);

    p = cm_pair();
    CHECK_EQ(cm_accept(p.at, p.server, SERVER_UID), EINVAL);
    CHECK_EQ(cm_accept(p.of, p.client, 0), EINVAL);
    CHECK_EQ(cm_reject(p.at, p.server, ""), EINVAL);
    CHECK_EQ(notify_established(p.at, p.server, 4), EISCONN);
    CHECK_EQ(notify_established(p.at, p.server, 5), EINVAL);
    CHECK_EQ(cm_qp_attr(p.at, p.server, IBV_QPS_SQD, &attr), EINVAL);
    CHECK_EQ(cm_disconnect(p.at, p.server), 0);
    CHECK_EQ(cm_qp_attr(p.at, p.server, IBV_QPS_RTS, &attr), EINVAL);
    CHECK_EQ(cm_disconnect(p.at, p.server), 0); /* the kernel does not report that */
    cm_expect(p.of, DISCONNECTED, CLIENT_UID);
    CHECK(!is_readable(p.of, 0));
    cm_close(&p);
}

/* NOTIFY establishes the connection of a listener before the client's last message. */
static void notified_connection_is_established_once(void)
{
    struct cm_pair p = { .at = cm_open(0), .of = cm_open(0) };

    p.listener = cm_listener(p.at, LISTENER_UID, 4);
    p.client = cm_client(p.of, CLIENT_UID, RDMA_PS_TCP);
    CHECK_EQ(cm_connect(p.of, p.client, ""), 0);
    p.server = cm_expect(p.at, CONNECT_REQUEST, LISTENER_UID).id;
    CHECK_EQ(notify_established(p.at, p.server, 4), EINVAL);
    CHECK_EQ(cm_accept(p.at, p.server, SERVER_UID), 0);
    CHECK_EQ(notify_established(p.at, p.server, 4), 0);
    cm_expect(p.at, ESTABLISHED, SERVER_UID);
    cm_expect(p.of, CONNECT_RESPONSE, CLIENT_UID);
    CHECK_EQ(cm_accept(p.of, p.client, 0), 0);
    CHECK(!is_readable(p.at, 50));
    cm_close(&p);
}

/* The kernel does not check the room for the answer of MIGRATE_ID, and writes all of it. */
static void migration_ignores_the_room_for_its_answer(void)
{
    struct rdma_ucm_migrate_resp resp = { .events_reported = 77 };
    int from = cm_open(0), to = cm_open(0);
    struct rdma_ucm_migrate_id cmd = { .response = address(&resp),
                                       .id = cm_create(from, 9, RDMA_PS_TCP),
                                       .fd = (uint32_t)from };

    CHECK_EQ(command(to, RDMA_USER_CM_CMD_MIGRATE_ID, &cmd, sizeof(cmd), 0), 0);
    CHECK_EQ(resp.events_reported, 0);
    CHECK_EQ(cm_destroy(to, cmd.id), 0);
    close(from);
    close(to);
}

/* The identifier of a request may end before its event is read. The event stays, and makes room in
 * the backlog when it is read. */
static void request_whose_identifier_has_ended_can_be_read(void)
{
    struct cm_pair p = { .at = cm_open(0), .of = cm_open(0) };
    uint32_t request;

    p.listener = cm_listener(p.at, LISTENER_UID, 1);
    for (unsigned i = 0; i < 3; i++) {
        p.client = cm_client(p.of, CLIENT_UID, RDMA_PS_TCP);
        request = cm_create(p.at, 9, RDMA_PS_TCP); /* the lowest free handle */
        cm_destroy(p.at, request);
        CHECK_EQ(cm_connect(p.of, p.client, ""), 0);
        CHECK_EQ(cm_destroy(p.at, request), 0);
        CHECK_EQ(cm_expect(p.of, REJECTED, CLIENT_UID).status, 28);
        if (i < 2) {
            CHECK_EQ(cm_expect(p.at, CONNECT_REQUEST, LISTENER_UID).id, request);
            CHECK_EQ(cm_accept(p.at, request, SERVER_UID), ENOENT);
        }
        cm_destroy(p.of, p.client);
    }
    cm_destroy(p.at, p.listener); /* with the unread event of the third request */
    CHECK_EQ(cm_create(p.at, 9, RDMA_PS_TCP), p.listener);
    CHECK(!is_readable(p.at, 0));
    cm_close(&p);
}

/* An identifier with the uid 0 gets no events except requests: the backlog has room for them. */
static void listener_with_uid_0_gets_its_requests(void)
{
    struct cm_pair p = { .at = cm_open(0), .of = cm_open(0) };

    p.listener = cm_listener(p.at, 0, 1);
    for (unsigned i = 0; i < 2; i++) {
        p.client = cm_client(p.of, CLIENT_UID, RDMA_PS_TCP);
        CHECK_EQ(cm_connect(p.of, p.client, ""), 0);
        p.server = cm_expect(p.at, CONNECT_REQUEST, 0).id;
        CHECK_EQ(cm_reject(p.at, p.server, ""), 0);
        CHECK_EQ(cm_expect(p.of, REJECTED, CLIENT_UID).status, 28);
        cm_destroy(p.at, p.server);
        cm_destroy(p.of, p.client);
    }
    CHECK_EQ(cm_resolve(p.at, cm_create(p.at, 0, RDMA_PS_TCP), "127.0.0.1", CM_PORT, 0), 0);
    CHECK(!is_readable(p.at, 50));
    cm_close(&p);
}

static const struct rig_case cases[] = {
    RIG_CASE(identifier_that_does_not_exist_is_refused),
    RIG_CASE(identifier_of_another_descriptor_is_refused),
    RIG_CASE(answer_without_room_is_refused),
    RIG_CASE(wrong_length_is_refused),
    RIG_CASE(unknown_commands_are_refused),
    RIG_CASE(memory_that_is_not_mapped_is_refused),
    RIG_CASE(wrong_addresses_are_refused),
    RIG_CASE(wrong_options_are_refused),
    RIG_CASE(commands_in_a_wrong_state_are_refused),
    RIG_CASE(notified_connection_is_established_once),
    RIG_CASE(migration_ignores_the_room_for_its_answer),
    RIG_CASE(request_whose_identifier_has_ended_can_be_read),
    RIG_CASE(listener_with_uid_0_gets_its_requests),
};

RIG_MAIN(cases)

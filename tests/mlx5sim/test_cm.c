/* The emulated rdma_cm device: connections, events, and the end of processes, in the form of the
 * kernel's ABI. test_cm_refused.c has the commands that the device refuses. */
#define _GNU_SOURCE
#include "cm_rig.h"

#include <net/if.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/* ---- the device ----------------------------------------------------------------------------- */

static void device_has_the_number_that_is_in_sysfs(void)
{
    char text[32] = "", expected[32];
    struct stat st, of_path;
    FILE *f = fopen("/sys/class/misc/rdma_cm/dev", "r");
    int fd = cm_open(0);

    CHECK(f != NULL && fgets(text, sizeof(text), f) != NULL);
    fclose(f);
    CHECK_EQ(fstat(fd, &st), 0);
    CHECK_EQ(stat("/dev/infiniband/rdma_cm", &of_path), 0);
    CHECK(S_ISCHR(st.st_mode) && S_ISCHR(of_path.st_mode));
    CHECK_EQ(st.st_rdev, of_path.st_rdev);
    snprintf(expected, sizeof(expected), "%u:%u\n", major(st.st_rdev), minor(st.st_rdev));
    CHECK_EQ(strcmp(text, expected), 0);
    f = fopen("/sys/class/misc/rdma_cm/abi_version", "r");
    CHECK(f != NULL && fgets(text, sizeof(text), f) != NULL);
    fclose(f);
    CHECK_EQ(atoi(text), RDMA_USER_CM_ABI_VERSION);
    close(fd);
}

/* ---- connections ---------------------------------------------------------------------------- */

static void connection_is_made_and_ends(void)
{
    struct rdma_ucm_event_resp event;
    struct cm_pair p = { .at = cm_open(0), .of = cm_open(0) };

    p.listener = cm_listener(p.at, LISTENER_UID, 4);
    p.client = cm_client(p.of, CLIENT_UID, RDMA_PS_TCP);
    CHECK_EQ(cm_connect(p.of, p.client, "hello"), 0);
    event = cm_expect(p.at, CONNECT_REQUEST, LISTENER_UID);
    p.server = event.id;
    CHECK(p.server != p.listener && p.server != p.client);
    CHECK_EQ(event.param.conn.qp_num, 0x111);
    CHECK_EQ(event.param.conn.private_data_len, 56);
    CHECK_EQ(memcmp(event.param.conn.private_data, "hello\0", 6), 0);
    CHECK_EQ(event.param.conn.responder_resources, 5); /* what the client initiates */
    CHECK_EQ(event.param.conn.initiator_depth, 3);
    CHECK_EQ(event.param.conn.rnr_retry_count, 6);
    CHECK_EQ(cm_accept(p.at, p.server, SERVER_UID), 0);
    event = cm_expect(p.of, CONNECT_RESPONSE, CLIENT_UID);
    CHECK_EQ(event.id, p.client);
    CHECK_EQ(event.param.conn.qp_num, 0x222);
    CHECK_EQ(event.param.conn.private_data_len, 196);
    CHECK_EQ(memcmp(event.param.conn.private_data, "welcome\0", 8), 0);
    CHECK_EQ(event.param.conn.responder_resources, 1);
    CHECK_EQ(event.param.conn.initiator_depth, 2);
    CHECK(!is_readable(p.at, 0));
    CHECK_EQ(cm_accept(p.of, p.client, 0), 0);
    CHECK_EQ(cm_expect(p.at, ESTABLISHED, SERVER_UID).id, p.server);

    CHECK_EQ(cm_disconnect(p.of, p.client), 0);
    cm_expect(p.at, DISCONNECTED, SERVER_UID);
    CHECK(!is_readable(p.of, 50)); /* until the server ends the connection, too */
    CHECK_EQ(cm_disconnect(p.at, p.server), 0);
    cm_expect(p.of, DISCONNECTED, CLIENT_UID);
    cm_expect(p.of, TIMEWAIT_EXIT, CLIENT_UID);
    cm_expect(p.at, TIMEWAIT_EXIT, SERVER_UID);
    CHECK_EQ(cm_destroy(p.at, p.server), 3);
    CHECK_EQ(cm_destroy(p.at, p.listener), 1);
    CHECK_EQ(cm_destroy(p.of, p.client), 5);
    cm_close(&p);
}

static void queue_pairs_get_the_attributes_of_both_ends(void)
{
    struct cm_pair p = cm_pair();
    struct ib_uverbs_qp_attr client, server;

    CHECK_EQ(cm_qp_attr(p.of, p.client, IBV_QPS_INIT, &client), 0);
    CHECK_EQ(client.qp_attr_mask,
             IBV_QP_STATE | IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX | IBV_QP_PORT);
    CHECK_EQ(client.port_num, 1);
    CHECK_EQ(client.qp_access_flags,
             IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC);
    CHECK_EQ(cm_qp_attr(p.of, p.client, IBV_QPS_RTR, &client), 0);
    CHECK_EQ(cm_qp_attr(p.at, p.server, IBV_QPS_RTR, &server), 0);
    CHECK_EQ(client.qp_attr_mask, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                                      IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
                                      IBV_QP_MIN_RNR_TIMER);
    CHECK_EQ(client.dest_qp_num, 0x222);
    CHECK_EQ(server.dest_qp_num, 0x111);
    CHECK_EQ(client.max_dest_rd_atomic, 1);
    CHECK_EQ(server.max_dest_rd_atomic, 2);
    CHECK_EQ(client.ah_attr.port_num, 1);
    CHECK_EQ(cm_qp_attr(p.of, p.client, IBV_QPS_RTS, &client), 0);
    CHECK_EQ(client.sq_psn, server.rq_psn);
    CHECK_EQ(client.qp_attr_mask, IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                                      IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC);
    CHECK_EQ(client.max_rd_atomic, 2);
    CHECK_EQ(client.retry_cnt, 7);
    CHECK_EQ(client.rnr_retry, 4); /* the value of the server */
    CHECK_EQ(cm_qp_attr(p.at, p.server, IBV_QPS_RTS, &server), 0);
    CHECK_EQ(server.max_rd_atomic, 1);
    CHECK_EQ(server.retry_cnt, 7); /* both ends have the value of the client */
    CHECK_EQ(server.rnr_retry, 6);
    cm_close(&p);
}

static void request_is_rejected_with_data(void)
{
    struct cm_pair p = { .at = cm_open(0), .of = cm_open(0) };
    struct rdma_ucm_event_resp event;

    p.client = cm_client(p.of, CLIENT_UID, RDMA_PS_TCP);
    CHECK_EQ(cm_connect(p.of, p.client, ""), 0);
    CHECK_EQ(cm_expect(p.of, REJECTED, CLIENT_UID).status, 8); /* nobody listens */
    cm_destroy(p.of, p.client);

    p.listener = cm_listener(p.at, LISTENER_UID, 4);
    p.client = cm_client(p.of, CLIENT_UID, RDMA_PS_TCP);
    CHECK_EQ(cm_connect(p.of, p.client, ""), 0);
    p.server = cm_expect(p.at, CONNECT_REQUEST, LISTENER_UID).id;
    CHECK_EQ(cm_reject(p.at, p.server, "no"), 0);
    event = cm_expect(p.of, REJECTED, CLIENT_UID);
    CHECK_EQ(event.status, 28); /* the consumer's reason */
    CHECK_EQ(event.param.conn.private_data_len, 148);
    CHECK_EQ(memcmp(event.param.conn.private_data, "no\0", 3), 0);
    CHECK_EQ(cm_accept(p.at, p.server, SERVER_UID), EINVAL);

    cm_destroy(p.of, p.client); /* both ends of a request that waits end without the other */
    p.client = cm_client(p.of, CLIENT_UID, RDMA_PS_TCP);
    CHECK_EQ(cm_connect(p.of, p.client, ""), 0);
    cm_destroy(p.at, p.listener); /* a request to the listener is unread */
    CHECK_EQ(cm_expect(p.of, REJECTED, CLIENT_UID).status, 28);
    CHECK(!is_readable(p.at, 0));
    cm_close(&p);
}

static void full_backlog_holds_requests_back(void)
{
    struct cm_pair p = { .at = cm_open(0), .of = cm_open(0) };
    uint32_t second, third;

    p.listener = cm_listener(p.at, LISTENER_UID, 1);
    p.client = cm_client(p.of, 5, RDMA_PS_TCP);
    second = cm_client(p.of, 6, RDMA_PS_TCP);
    CHECK_EQ(cm_connect(p.of, p.client, "a"), 0);
    third = cm_client(p.of, 7, RDMA_PS_TCP);
    CHECK_EQ(cm_connect(p.of, second, "b"), 0);
    CHECK_EQ(cm_connect(p.of, third, "c"), 0);
    CHECK(!is_readable(p.of, 50)); /* the second and the third request are not rejected */
    cm_destroy(p.of, third);       /* the request of `third` is not delivered yet */
    CHECK_EQ(cm_expect(p.at, CONNECT_REQUEST, LISTENER_UID).param.conn.private_data[0], 'a');
    CHECK_EQ(cm_expect(p.at, CONNECT_REQUEST, LISTENER_UID).param.conn.private_data[0], 'b');
    CHECK(!is_readable(p.at, 0));
    cm_close(&p);
}

static void datagram_request_is_answered_once(void)
{
    struct cm_pair p = { .at = cm_open(0), .of = cm_open(0) };
    struct rdma_ucm_event_resp event;
    struct ib_uverbs_qp_attr attr;

    p.listener = cm_create(p.at, LISTENER_UID, RDMA_PS_UDP);
    CHECK_EQ(cm_bind(p.at, p.listener, "127.0.0.1", CM_PORT), 0);
    CHECK_EQ(cm_listen(p.at, p.listener, 1), 0);
    p.client = cm_client(p.of, CLIENT_UID, RDMA_PS_UDP);
    CHECK_EQ(cm_connect(p.of, p.client, "hello"), 0);
    event = cm_expect(p.at, CONNECT_REQUEST, LISTENER_UID);
    CHECK_EQ(event.param.ud.private_data_len, 180);
    CHECK_EQ(memcmp(event.param.ud.private_data, "hello", 5), 0);
    CHECK_EQ(cm_qp_attr(p.at, event.id, IBV_QPS_INIT, &attr), 0);
    CHECK_EQ(attr.qp_attr_mask, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY);
    CHECK_EQ(cm_accept(p.at, event.id, SERVER_UID), 0);
    CHECK_EQ(cm_accept(p.at, event.id, SERVER_UID), EINVAL);
    event = cm_expect(p.of, ESTABLISHED, CLIENT_UID);
    CHECK_EQ(event.param.ud.qp_num, 0x222);
    CHECK_EQ(event.param.ud.qkey, attr.qkey);
    CHECK_EQ(event.param.ud.ah_attr.port_num, 1);
    CHECK_EQ(event.param.ud.private_data_len, 136);
    CHECK(!is_readable(p.at, 50));
    cm_destroy(p.at, p.listener);
    cm_destroy(p.of, p.client);
    p.client = cm_client(p.of, CLIENT_UID, RDMA_PS_UDP);
    CHECK_EQ(cm_connect(p.of, p.client, ""), 0);
    CHECK_EQ(cm_expect(p.of, UNREACHABLE, CLIENT_UID).status, 1); /* nobody listens */
    cm_close(&p);
}

/* ---- addresses ------------------------------------------------------------------------------ */

static void query_tells_addresses_device_and_path(void)
{
    struct rdma_ucm_query_addr_resp addr = { 0 };
    struct rdma_ucm_query cmd = { .response = address(&addr) };
    uint32_t path[40]; /* the number of paths; a reserved word; flags and 64 bytes of each path */
    struct cm_pair p = cm_pair();
    const uint8_t *record = (const uint8_t *)&path[4];
    struct rdma_ucm_query_route_resp route;

    cmd.id = p.server;
    CHECK_EQ(command(p.at, RDMA_USER_CM_CMD_QUERY, &cmd, sizeof(cmd), sizeof(addr)), 0);
    CHECK_EQ(addr.src_size, sizeof(struct sockaddr_in));
    CHECK_EQ(ntohs(((struct sockaddr_in *)&addr.src_addr)->sin_port), CM_PORT);
    CHECK(addr.node_guid != 0);
    CHECK_EQ(addr.port_num, 1);
    CHECK_EQ(addr.pkey, 0xffff);
    cmd.response = address(path);
    cmd.option = RDMA_USER_CM_QUERY_PATH;
    CHECK_EQ(command(p.at, RDMA_USER_CM_CMD_QUERY, &cmd, sizeof(cmd), sizeof(path)), 0);
    CHECK_EQ(path[0], 1);
    cmd.option = RDMA_USER_CM_QUERY_GID;
    cmd.response = address(&addr);
    CHECK_EQ(command(p.at, RDMA_USER_CM_CMD_QUERY, &cmd, sizeof(cmd), sizeof(addr)), 0);
    CHECK_EQ(addr.src_size, 48);
    CHECK_EQ(memcmp(record + 24, (const uint8_t *)&addr.src_addr + 8, 16), 0); /* the GID */
    CHECK_EQ(record[24], 0xfe);
    cmd.response = address(&route);
    CHECK_EQ(command(p.at, RDMA_USER_CM_CMD_QUERY_ROUTE, &cmd, sizeof(cmd), sizeof(route)), 0);
    CHECK_EQ(route.num_paths, 1);
    CHECK_EQ(memcmp(route.ib_route[0].sgid, record + 24, 16), 0);
    CHECK_EQ(route.node_guid, addr.node_guid);
    cm_close(&p);
}

static void unknown_address_is_not_resolved(void)
{
    int fd = cm_open(O_NONBLOCK);
    uint32_t id = cm_create(fd, CLIENT_UID, RDMA_PS_TCP);
    struct rdma_ucm_event_resp event;

    CHECK_EQ(cm_resolve(fd, id, "203.0.113.77", CM_PORT, 200), 0);
    CHECK_EQ(cm_get(fd, &event), EAGAIN);
    CHECK(!is_readable(fd, 20));
    CHECK_EQ((int)cm_expect(fd, ADDR_ERROR, CLIENT_UID).status, -ETIMEDOUT);
    CHECK_EQ(cm_resolve(fd, id, "127.0.0.1", CM_PORT, 200), 0); /* as often as wanted */
    cm_expect(fd, ADDR_RESOLVED, CLIENT_UID);
    close(fd);
}

/* The test runs with ip=10.0.9.1 and ip=10.0.9.2. */
static void functions_have_the_addresses_that_were_given(void)
{
    struct cm_pair p = { .at = cm_open(0), .of = cm_open(0) };
    struct rdma_ucm_resolve_addr cmd = { .src_size = sizeof(struct sockaddr_in),
                                         .dst_size = sizeof(struct sockaddr_in) };
    struct sockaddr_in src = ipv4("10.0.9.1", 0), dst = ipv4("10.0.9.2", CM_PORT);
    struct rdma_ucm_query_addr_resp from = { 0 }, to = { 0 };
    struct rdma_ucm_query query = { .response = address(&from) };
    struct ifreq ifreq = { .ifr_name = "p1" };

    p.listener = cm_create(p.at, LISTENER_UID, RDMA_PS_TCP);
    CHECK_EQ(cm_bind(p.at, p.listener, "10.0.9.2", CM_PORT), 0);
    CHECK_EQ(cm_listen(p.at, p.listener, 1), 0);
    cmd.id = query.id = p.client = cm_create(p.of, CLIENT_UID, RDMA_PS_TCP);
    memcpy(&cmd.src_addr, &src, sizeof(src));
    memcpy(&cmd.dst_addr, &dst, sizeof(dst));
    CHECK_EQ(command(p.of, RDMA_USER_CM_CMD_RESOLVE_ADDR, &cmd, sizeof(cmd), 0), 0);
    cm_expect(p.of, ADDR_RESOLVED, CLIENT_UID);
    CHECK_EQ(cm_route(p.of, p.client), 0);
    cm_expect(p.of, ROUTE_RESOLVED, CLIENT_UID);
    CHECK_EQ(cm_connect(p.of, p.client, ""), 0);
    p.server = cm_expect(p.at, CONNECT_REQUEST, LISTENER_UID).id;
    CHECK_EQ(command(p.of, RDMA_USER_CM_CMD_QUERY, &query, sizeof(query), sizeof(from)), 0);
    query.id = p.server;
    query.response = address(&to);
    CHECK_EQ(command(p.at, RDMA_USER_CM_CMD_QUERY, &query, sizeof(query), sizeof(to)), 0);
    CHECK(from.node_guid != to.node_guid);
    CHECK_EQ(ioctl(socket(AF_INET, SOCK_DGRAM, 0), SIOCGIFADDR, &ifreq), 0);
    CHECK_EQ(((struct sockaddr_in *)&ifreq.ifr_addr)->sin_addr.s_addr, dst.sin_addr.s_addr);
    CHECK(if_nametoindex("p1") != 0 && if_nametoindex("no_such") == 0);
    cm_close(&p);
}

/* ---- events --------------------------------------------------------------------------------- */

static void descriptor_is_readable_while_events_are_unread(void)
{
    int fd = cm_open(O_NONBLOCK), waiter = epoll_create1(0);
    struct epoll_event ready = { .events = EPOLLIN };
    uint32_t a = cm_create(fd, 7, RDMA_PS_TCP), b = cm_create(fd, 8, RDMA_PS_TCP);
    struct rdma_ucm_event_resp event;

    CHECK_EQ(epoll_ctl(waiter, EPOLL_CTL_ADD, fd, &ready), 0);
    CHECK_EQ(cm_get(fd, &event), EAGAIN);
    CHECK_EQ(epoll_wait(waiter, &ready, 1, 0), 0);
    CHECK_EQ(cm_resolve(fd, a, "127.0.0.1", CM_PORT, 0), 0);
    CHECK_EQ(cm_resolve(fd, b, "127.0.0.1", CM_PORT, 0), 0);
    CHECK_EQ(epoll_wait(waiter, &ready, 1, CM_WAIT_MS), 1);
    cm_expect(fd, ADDR_RESOLVED, 7);
    CHECK_EQ(epoll_wait(waiter, &ready, 1, 0), 1);
    cm_expect(fd, ADDR_RESOLVED, 8);
    CHECK_EQ(epoll_wait(waiter, &ready, 1, 0), 0);
    CHECK_EQ(cm_get(fd, &event), EAGAIN);
    CHECK_EQ(cm_route(fd, a), 0);
    CHECK_EQ(epoll_wait(waiter, &ready, 1, CM_WAIT_MS), 1);
    CHECK_EQ(cm_destroy(fd, a), 1); /* the unread event of `a` is dropped */
    CHECK_EQ(epoll_wait(waiter, &ready, 1, 0), 0);
    CHECK_EQ(cm_get(fd, &event), EAGAIN);
    close(fd);
    close(waiter);
}

static void note(int number)
{
    (void)number;
}

static void *resolve_later(void *arg)
{
    int *fd_and_id = arg;

    usleep(100000);
    cm_resolve(fd_and_id[0], (uint32_t)fd_and_id[1], "127.0.0.1", CM_PORT, 0);
    return NULL;
}

static void get_event_waits_until_a_signal_or_an_event(void)
{
    struct sigaction action = { .sa_handler = note }; /* without SA_RESTART */
    int fd = cm_open(0), arg[2] = { fd, (int)cm_create(fd, 9, RDMA_PS_TCP) };
    struct rdma_ucm_event_resp event;
    pthread_t thread;

    CHECK_EQ(sigaction(SIGALRM, &action, NULL), 0);
    ualarm(100000, 0);
    CHECK_EQ(cm_get(fd, &event), EINTR);
    CHECK_EQ(pthread_create(&thread, NULL, resolve_later, arg), 0);
    CHECK_EQ(cm_get(fd, &event), 0);
    CHECK_EQ(event.event, ADDR_RESOLVED);
    CHECK_EQ(event.uid, 9);
    pthread_join(thread, NULL);
    close(fd);
}

static void *get_one(void *arg)
{
    struct rdma_ucm_event_resp event;
    int *fd = arg;

    return cm_get(*fd, &event) == 0 ? arg : NULL;
}

/* Each event wakes one of the threads that wait, also when one command causes two events. */
static void each_waiting_thread_gets_an_event(void)
{
    struct cm_pair p = { .at = cm_open(0), .of = cm_open(0) };

    for (unsigned i = 0; i < 10; i++) {
        pthread_t threads[2];
        void *result[2];
        uint32_t other;

        p.listener = cm_listener(p.at, LISTENER_UID, 4);
        p.client = cm_client(p.of, 7, RDMA_PS_TCP);
        other = cm_client(p.of, 8, RDMA_PS_TCP);
        CHECK_EQ(cm_connect(p.of, p.client, ""), 0);
        CHECK_EQ(cm_connect(p.of, other, ""), 0);
        CHECK_EQ(pthread_create(&threads[0], NULL, get_one, &p.of), 0);
        CHECK_EQ(pthread_create(&threads[1], NULL, get_one, &p.of), 0);
        usleep(i % 2 * 50000);
        cm_destroy(p.at, p.listener); /* rejects both */
        pthread_join(threads[0], &result[0]);
        pthread_join(threads[1], &result[1]);
        CHECK(result[0] != NULL && result[1] != NULL);
        CHECK(!is_readable(p.of, 0));
        cm_destroy(p.of, p.client);
        cm_destroy(p.of, other);
    }
    cm_close(&p);
}

static void successful_write_keeps_errno(void)
{
    int ends[2], fd = cm_open(O_NONBLOCK);
    uint32_t id = cm_create(fd, 9, RDMA_PS_TCP);

    CHECK_EQ(pipe(ends), 0);
    errno = ENODATA;
    CHECK_EQ(write(ends[1], "!", 1), 1); /* not a device */
    CHECK_EQ(errno, ENODATA);
    CHECK_EQ(cm_resolve(fd, id, "127.0.0.1", CM_PORT, 0), 0);
    CHECK_EQ(errno, ENODATA);
    cm_expect(fd, ADDR_RESOLVED, 9);
    CHECK_EQ(errno, ENODATA);
    close(ends[0]);
    close(ends[1]);
    close(fd);
}

static void migrated_identifier_takes_its_events_along(void)
{
    struct rdma_ucm_migrate_resp resp = { 0 };
    struct rdma_ucm_migrate_id cmd = { .response = address(&resp) };
    int from = cm_open(O_NONBLOCK), to = cm_open(O_NONBLOCK);
    struct rdma_ucm_event_resp event;
    uint32_t id = cm_create(from, 9, RDMA_PS_TCP);

    CHECK_EQ(cm_resolve(from, id, "127.0.0.1", CM_PORT, 0), 0);
    cm_expect(from, ADDR_RESOLVED, 9);
    CHECK_EQ(cm_route(from, id), 0);
    cmd.id = id;
    cmd.fd = (uint32_t)from;
    CHECK_EQ(command(to, RDMA_USER_CM_CMD_MIGRATE_ID, &cmd, sizeof(cmd), sizeof(resp)), 0);
    CHECK_EQ(resp.events_reported, 1);
    CHECK(!is_readable(from, 0)); /* the event moved with the identifier */
    CHECK_EQ(cm_get(from, &event), EAGAIN);
    cm_expect(to, ROUTE_RESOLVED, 9);
    CHECK_EQ(cm_route(from, id), EINVAL); /* the identifier belongs to the other descriptor */
    CHECK_EQ(command(to, RDMA_USER_CM_CMD_MIGRATE_ID, &cmd, sizeof(cmd), sizeof(resp)), EINVAL);
    close(from);
    CHECK_EQ(command(to, RDMA_USER_CM_CMD_MIGRATE_ID, &cmd, sizeof(cmd), sizeof(resp)), ENOENT);
    cmd.fd = 1;
    CHECK_EQ(command(to, RDMA_USER_CM_CMD_MIGRATE_ID, &cmd, sizeof(cmd), sizeof(resp)), EINVAL);
    CHECK_EQ(cm_destroy(to, id), 2);
    close(to);
}

static void membership_of_a_group_is_an_event(void)
{
    struct rdma_ucm_create_id_resp handle = { 0 };
    struct rdma_ucm_destroy_id_resp reported = { 0 };
    struct rdma_ucm_join_mcast cmd = { .response = address(&handle),
                                       .uid = 77,
                                       .addr_size = sizeof(struct sockaddr_in) };
    struct sockaddr_in group = ipv4("224.1.2.3", 0);
    struct rdma_ucm_destroy_id leave = { .response = address(&reported) };
    struct rdma_ucm_event_resp event;
    int fd = cm_open(0);

    memcpy(&cmd.addr, &group, sizeof(group));
    cmd.id = cm_create(fd, CLIENT_UID, RDMA_PS_UDP);
    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_JOIN_MCAST, &cmd, sizeof(cmd), sizeof(handle)), EINVAL);
    CHECK_EQ(cm_bind(fd, cmd.id, "127.0.0.1", 0), 0);
    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_JOIN_MCAST, &cmd, sizeof(cmd), sizeof(handle)), 0);
    event = cm_expect(fd, MULTICAST_JOIN, 77);
    CHECK_EQ(event.param.ud.qp_num, 0xffffff);
    CHECK_EQ(event.param.ud.ah_attr.grh.dgid[0], 0xff);
    leave.id = handle.id;
    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_LEAVE_MCAST, &leave, sizeof(leave), sizeof(reported)), 0);
    CHECK_EQ(reported.events_reported, 1);
    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_LEAVE_MCAST, &leave, sizeof(leave), sizeof(reported)),
             ENOENT);
    cmd.uid = 0; /* only the uid of the identifier says whether its events are dropped */
    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_JOIN_MCAST, &cmd, sizeof(cmd), sizeof(handle)), 0);
    cm_expect(fd, MULTICAST_JOIN, 0);
    close(fd);
}

/* An identifier that is not bound sends to a group from an address of the machine. */
static void group_is_not_the_source_of_its_sender(void)
{
    struct rdma_ucm_query_addr_resp addr = { 0 };
    struct rdma_ucm_query cmd = { .response = address(&addr) };
    const struct sockaddr_in *src = (const struct sockaddr_in *)&addr.src_addr;
    int fd = cm_open(0);

    cmd.id = cm_create(fd, CLIENT_UID, RDMA_PS_UDP);
    CHECK_EQ(cm_resolve(fd, cmd.id, "224.1.2.3", CM_PORT, 1000), 0);
    cm_expect(fd, ADDR_RESOLVED, CLIENT_UID);
    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_QUERY, &cmd, sizeof(cmd), sizeof(addr)), 0);
    CHECK_EQ(src->sin_family, AF_INET);
    CHECK_EQ(src->sin_addr.s_addr, ipv4("10.0.9.1", 0).sin_addr.s_addr);
    CHECK(src->sin_port != 0 && src->sin_port != htons(CM_PORT));
    close(fd);
}

/* ---- ends of processes ---------------------------------------------------------------------- */

enum role { SERVER_THAT_ACCEPTS, SERVER_THAT_WAITS, SERVER_THAT_DOES_NOT_READ, CLIENT_THAT_ASKS };

/* Start a process in this role, and wait until it waits in it. Return its pid. */
static pid_t start(enum role role)
{
    int ready[2];
    pid_t pid;
    char byte;

    CHECK_EQ(pipe(ready), 0);
    pid = peer_fork();
    if (pid == 0) {
        int fd = cm_open(0);
        uint32_t id;

        if (role == CLIENT_THAT_ASKS)
            CHECK_EQ(cm_connect(fd, cm_client(fd, 5, RDMA_PS_TCP), ""), 0);
        else
            cm_listener(fd, 5, 1);
        CHECK_EQ(write(ready[1], "!", 1), 1);
        if (role == SERVER_THAT_ACCEPTS || role == SERVER_THAT_WAITS) {
            id = cm_expect(fd, CONNECT_REQUEST, 5).id;
            if (role == SERVER_THAT_ACCEPTS)
                CHECK_EQ(cm_accept(fd, id, 6), 0);
        }
        pause();
    }
    close(ready[1]);
    CHECK_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return pid;
}

static void end(pid_t pid)
{
    int status;

    peer_forget(pid);
    CHECK_EQ(kill(pid, SIGKILL), 0);
    CHECK_EQ(waitpid(pid, &status, 0), pid);
}

static void peers_of_killed_processes_hear_of_it(void)
{
    int fd = cm_open(0), other = cm_open(0);
    uint32_t id = cm_create(fd, 1, RDMA_PS_TCP), again, client, listener, request;
    pid_t pid = start(SERVER_THAT_ACCEPTS);

    client = cm_client(fd, CLIENT_UID, RDMA_PS_TCP);
    CHECK_EQ(cm_connect(fd, client, ""), 0);
    cm_expect(fd, CONNECT_RESPONSE, CLIENT_UID);
    CHECK_EQ(cm_accept(fd, client, 0), 0);
    end(pid); /* the other end of a connection */
    cm_expect(fd, DISCONNECTED, CLIENT_UID);
    cm_destroy(fd, client);

    pid = start(SERVER_THAT_WAITS);
    client = cm_client(fd, CLIENT_UID, RDMA_PS_TCP);
    CHECK_EQ(cm_connect(fd, client, ""), 0);
    CHECK(!is_readable(fd, 50));
    end(pid); /* a server that has not answered */
    CHECK_EQ(cm_expect(fd, REJECTED, CLIENT_UID).status, 28);
    cm_destroy(fd, client);

    listener = cm_listener(other, LISTENER_UID, 2);
    pid = start(CLIENT_THAT_ASKS);
    request = cm_expect(other, CONNECT_REQUEST, LISTENER_UID).id;
    end(pid);                                       /* a client that was not answered */
    if (cm_accept(other, request, SERVER_UID) == 0) /* before the device process sees the end */
        cm_expect(other, REJECTED, SERVER_UID);
    CHECK_EQ(cm_accept(other, request, SERVER_UID), EINVAL);
    cm_destroy(other, request);
    cm_destroy(other, listener);

    again = cm_create(fd, 1, RDMA_PS_TCP); /* handles are free again: nothing is left */
    CHECK_EQ(again, id + 1);
    close(fd);
    close(other);
}

/* The identifier of an unread request ends once, also when its handle is lower than that of the
 * listener, so that the device process ends it first. */
static void unread_request_ends_with_its_process(void)
{
    int fd = cm_open(0);
    uint32_t low = cm_create(fd, 1, RDMA_PS_TCP), next = cm_create(fd, 1, RDMA_PS_TCP), client;
    pid_t pid = start(SERVER_THAT_DOES_NOT_READ);

    cm_destroy(fd, low);
    cm_destroy(fd, next);
    client = cm_client(fd, CLIENT_UID, RDMA_PS_TCP);
    CHECK_EQ(client, low);
    CHECK_EQ(cm_connect(fd, client, ""), 0); /* the passive end gets the handle `next` */
    end(pid);
    CHECK_EQ(cm_expect(fd, REJECTED, CLIENT_UID).status, 28);
    usleep(50000);
    CHECK_EQ(cm_create(fd, 1, RDMA_PS_TCP), next);
    close(fd);
}

/* Connect as often as possible, until the process is killed. */
static void connect_again_and_again(void)
{
    int fd = cm_open(0);

    for (;;) {
        uint32_t id = cm_client(fd, CLIENT_UID, RDMA_PS_TCP);
        struct rdma_ucm_event_resp event;

        CHECK_EQ(cm_connect(fd, id, ""), 0);
        CHECK_EQ(cm_get(fd, &event), 0);
        CHECK_EQ(event.event, CONNECT_RESPONSE);
        CHECK_EQ(cm_accept(fd, id, 0), 0);
        CHECK_EQ(cm_disconnect(fd, id), 0);
        cm_expect(fd, DISCONNECTED, CLIENT_UID);
        cm_destroy(fd, id);
    }
}

/* Answer the events of clients for some time. */
static void serve(int fd, int ms)
{
    struct rdma_ucm_event_resp event;
    struct timespec now, begin;

    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        if (is_readable(fd, 1)) {
            CHECK_EQ(cm_get(fd, &event), 0);
            if (event.event == CONNECT_REQUEST) {
                if (cm_accept(fd, event.id, 1000 + event.id) != 0)
                    cm_destroy(fd, event.id);
            } else if (event.event == DISCONNECTED || event.event == REJECTED) {
                cm_destroy(fd, event.id);
            }
        }
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < ms);
}

static void clients_killed_at_any_moment_leave_nothing(void)
{
    int fd = cm_open(0), probe = cm_open(0);
    uint32_t listener = cm_listener(fd, LISTENER_UID, 4), before, after;

    before = cm_create(probe, 1, RDMA_PS_TCP);
    for (unsigned i = 0; i < 25; i++) {
        pid_t pid = peer_fork();

        if (pid == 0)
            connect_again_and_again();
        serve(fd, 5 + (int)i);
        end(pid);
    }
    serve(fd, 200); /* the device process may not have seen the last end yet */
    cm_destroy(fd, listener);
    after = cm_create(probe, 1, RDMA_PS_TCP);
    CHECK_EQ(after, before - 1); /* the handle of the listener is the lowest free one */
    close(fd);
    close(probe);
}

static void child_shares_the_descriptor(void)
{
    int fd = cm_open(0);
    pid_t pid = peer_fork();

    if (pid == 0) {
        uint32_t id = cm_create(fd, 11, RDMA_PS_TCP);

        CHECK_EQ(cm_resolve(fd, id, "127.0.0.1", CM_PORT, 0), 0);
        _exit(0);
    }
    PEER_REAP(pid);
    cm_expect(fd, ADDR_RESOLVED, 11); /* the identifier lives as long as the descriptor */
    close(fd);
}

/* The test runs with --cm-timeout 1000. */
static void peer_that_does_not_answer_is_unreachable(void)
{
    struct cm_pair p = { .at = cm_open(0), .of = cm_open(0) };

    p.listener = cm_listener(p.at, LISTENER_UID, 4);
    p.client = cm_client(p.of, CLIENT_UID, RDMA_PS_TCP);
    CHECK_EQ(cm_connect(p.of, p.client, ""), 0);
    p.server = cm_expect(p.at, CONNECT_REQUEST, LISTENER_UID).id;
    CHECK_EQ((int)cm_expect(p.of, UNREACHABLE, CLIENT_UID).status, -ETIMEDOUT);
    CHECK_EQ(cm_accept(p.at, p.server, SERVER_UID), EINVAL);
    cm_close(&p);
    p = cm_pair();
    CHECK_EQ(cm_disconnect(p.of, p.client), 0);
    cm_expect(p.of, DISCONNECTED, CLIENT_UID); /* without an answer of the server */
    cm_close(&p);
}

static const struct rig_case cases[] = {
    RIG_CASE(device_has_the_number_that_is_in_sysfs),
    RIG_CASE(connection_is_made_and_ends),
    RIG_CASE(queue_pairs_get_the_attributes_of_both_ends),
    RIG_CASE(request_is_rejected_with_data),
    RIG_CASE(full_backlog_holds_requests_back),
    RIG_CASE(datagram_request_is_answered_once),
    RIG_CASE(query_tells_addresses_device_and_path),
    RIG_CASE(unknown_address_is_not_resolved),
    RIG_CASE(functions_have_the_addresses_that_were_given),
    RIG_CASE(descriptor_is_readable_while_events_are_unread),
    RIG_CASE(get_event_waits_until_a_signal_or_an_event),
    RIG_CASE(each_waiting_thread_gets_an_event),
    RIG_CASE(successful_write_keeps_errno),
    RIG_CASE(migrated_identifier_takes_its_events_along),
    RIG_CASE(membership_of_a_group_is_an_event),
    RIG_CASE(group_is_not_the_source_of_its_sender),
    RIG_CASE(peers_of_killed_processes_hear_of_it),
    RIG_CASE(unread_request_ends_with_its_process),
    RIG_CASE(clients_killed_at_any_moment_leave_nothing),
    RIG_CASE(child_shares_the_descriptor),
    RIG_CASE(peer_that_does_not_answer_is_unreachable),
};

RIG_MAIN(cases)

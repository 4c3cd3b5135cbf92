/* Helpers for tests of the emulated rdma_cm device: commands in the form of the kernel's ABI, which
 * they write(2) to the device themselves, and events. */
#ifndef MLX5SIM_CM_RIG_H
#define MLX5SIM_CM_RIG_H

#include "rig.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <rdma/rdma_user_cm.h>

enum {
    ADDR_RESOLVED,
    ADDR_ERROR,
    ROUTE_RESOLVED,
    CONNECT_REQUEST = 4,
    CONNECT_RESPONSE,
    UNREACHABLE = 7,
    REJECTED,
    ESTABLISHED,
    DISCONNECTED,
    MULTICAST_JOIN = 12,
    TIMEWAIT_EXIT = 15,

    CM_PORT = 20123,
    CM_WAIT_MS = 20000
};

/* Write a command with `bytes` bytes behind the header, which says that there is room for `room`
 * bytes of an answer. Return 0 or the errno. */
__attribute__((unused)) static int command(int fd, uint32_t number, const void *in, size_t bytes,
                                           size_t room)
{
    unsigned char packet[1024];
    struct rdma_ucm_cmd_hdr hdr = { number, (uint16_t)bytes, (uint16_t)room };
    const ssize_t all = (ssize_t)(sizeof(hdr) + bytes);

    memset(packet, 0, sizeof(packet));
    memcpy(packet, &hdr, sizeof(hdr));
    memcpy(packet + sizeof(hdr), in, bytes);
    return write(fd, packet, (size_t)all) == all ? 0 : errno;
}

__attribute__((unused)) static uint64_t address(const void *p)
{
    return (uint64_t)(uintptr_t)p;
}

__attribute__((unused)) static int cm_open(int flags)
{
    int fd = open("/dev/infiniband/rdma_cm", O_RDWR | O_CLOEXEC | flags);

    CHECK(fd >= 0);
    return fd;
}

__attribute__((unused)) static uint32_t cm_create(int fd, uint64_t uid, uint16_t ps)
{
    struct rdma_ucm_create_id_resp resp = { 0 };
    struct rdma_ucm_create_id cmd = { .uid = uid, .response = address(&resp), .ps = ps };

    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_CREATE_ID, &cmd, sizeof(cmd), sizeof(resp)), 0);
    return resp.id;
}

/* Destroy an identifier and return how many of its events were read. */
__attribute__((unused)) static uint32_t cm_destroy(int fd, uint32_t id)
{
    struct rdma_ucm_destroy_id_resp resp = { 0 };
    struct rdma_ucm_destroy_id cmd = { .response = address(&resp), .id = id };

    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_DESTROY_ID, &cmd, sizeof(cmd), sizeof(resp)), 0);
    return resp.events_reported;
}

__attribute__((unused)) static struct sockaddr_in ipv4(const char *text, unsigned port)
{
    struct sockaddr_in addr = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };

    CHECK_EQ(inet_pton(AF_INET, text, &addr.sin_addr), 1);
    return addr;
}

__attribute__((unused)) static int cm_bind(int fd, uint32_t id, const char *text, unsigned port)
{
    struct rdma_ucm_bind cmd = { .id = id, .addr_size = sizeof(struct sockaddr_in) };
    struct sockaddr_in addr = ipv4(text, port);

    memcpy(&cmd.addr, &addr, sizeof(addr));
    return command(fd, RDMA_USER_CM_CMD_BIND, &cmd, sizeof(cmd), 0);
}

__attribute__((unused)) static int cm_resolve(int fd, uint32_t id, const char *text, unsigned port,
                                              uint32_t ms)
{
    struct rdma_ucm_resolve_addr cmd = { .id = id,
                                         .timeout_ms = ms,
                                         .dst_size = sizeof(struct sockaddr_in) };
    struct sockaddr_in addr = ipv4(text, port);

    memcpy(&cmd.dst_addr, &addr, sizeof(addr));
    return command(fd, RDMA_USER_CM_CMD_RESOLVE_ADDR, &cmd, sizeof(cmd), 0);
}

__attribute__((unused)) static int cm_route(int fd, uint32_t id)
{
    struct rdma_ucm_resolve_route cmd = { .id = id, .timeout_ms = 1000 };

    return command(fd, RDMA_USER_CM_CMD_RESOLVE_ROUTE, &cmd, sizeof(cmd), 0);
}

__attribute__((unused)) static int cm_listen(int fd, uint32_t id, uint32_t backlog)
{
    struct rdma_ucm_listen cmd = { .id = id, .backlog = backlog };

    return command(fd, RDMA_USER_CM_CMD_LISTEN, &cmd, sizeof(cmd), 0);
}

__attribute__((unused)) static int cm_connect(int fd, uint32_t id, const char *data)
{
    struct rdma_ucm_connect cmd = { .id = id };

    cmd.conn_param = (struct rdma_ucm_conn_param){ .qp_num = 0x111,
                                                   .responder_resources = 3,
                                                   .initiator_depth = 5,
                                                   .retry_count = 7,
                                                   .rnr_retry_count = 6,
                                                   .valid = 1 };
    cmd.conn_param.private_data_len = (uint8_t)strlen(data);
    memcpy(cmd.conn_param.private_data, data, strlen(data));
    return command(fd, RDMA_USER_CM_CMD_CONNECT, &cmd, sizeof(cmd), 0);
}

/* Accept as a listener (`uid` not 0), or as the end that has asked. */
__attribute__((unused)) static int cm_accept(int fd, uint32_t id, uint64_t uid)
{
    struct rdma_ucm_accept cmd = { .id = id, .uid = uid };

    if (uid != 0) {
        cmd.conn_param = (struct rdma_ucm_conn_param){ .qp_num = 0x222,
                                                       .responder_resources = 2,
                                                       .initiator_depth = 1,
                                                       .rnr_retry_count = 4,
                                                       .valid = 1 };
        memcpy(cmd.conn_param.private_data, "welcome", 7);
        cmd.conn_param.private_data_len = 7;
    }
    return command(fd, RDMA_USER_CM_CMD_ACCEPT, &cmd, sizeof(cmd), 0);
}

__attribute__((unused)) static int cm_reject(int fd, uint32_t id, const char *data)
{
    struct rdma_ucm_reject cmd = { .id = id, .private_data_len = (uint8_t)strlen(data) };

    memcpy(cmd.private_data, data, strlen(data));
    return command(fd, RDMA_USER_CM_CMD_REJECT, &cmd, sizeof(cmd), 0);
}

__attribute__((unused)) static int cm_disconnect(int fd, uint32_t id)
{
    struct rdma_ucm_disconnect cmd = { .id = id };

    return command(fd, RDMA_USER_CM_CMD_DISCONNECT, &cmd, sizeof(cmd), 0);
}

__attribute__((unused)) static int cm_qp_attr(int fd, uint32_t id, uint32_t state,
                                              struct ib_uverbs_qp_attr *attr)
{
    struct rdma_ucm_init_qp_attr cmd = { .response = address(attr), .id = id, .qp_state = state };

    memset(attr, 0, sizeof(*attr));
    return command(fd, RDMA_USER_CM_CMD_INIT_QP_ATTR, &cmd, sizeof(cmd), sizeof(*attr));
}

/* ---- events --------------------------------------------------------------------------------- */

__attribute__((unused)) static int cm_get(int fd, struct rdma_ucm_event_resp *event)
{
    struct rdma_ucm_get_event cmd = { address(event) };

    memset(event, 0, sizeof(*event));
    return command(fd, RDMA_USER_CM_CMD_GET_EVENT, &cmd, sizeof(cmd), sizeof(*event));
}

__attribute__((unused)) static bool is_readable(int fd, int ms)
{
    struct pollfd p = { fd, POLLIN, 0 };

    return poll(&p, 1, ms) == 1;
}

/* Wait for the next event, which must be of this type, and of the identifier with this uid. */
__attribute__((unused)) static struct rdma_ucm_event_resp cm_expect(int fd, uint32_t type,
                                                                    uint64_t uid)
{
    struct rdma_ucm_event_resp event;

    CHECK(is_readable(fd, CM_WAIT_MS));
    CHECK_EQ(cm_get(fd, &event), 0);
    CHECK_EQ(event.event, type);
    CHECK_EQ(event.uid, uid);
    return event;
}

/* ---- connections ---------------------------------------------------------------------------- */

__attribute__((unused)) static uint32_t cm_listener(int fd, uint64_t uid, uint32_t backlog)
{
    uint32_t id = cm_create(fd, uid, RDMA_PS_TCP);

    CHECK_EQ(cm_bind(fd, id, "127.0.0.1", CM_PORT), 0);
    CHECK_EQ(cm_listen(fd, id, backlog), 0);
    return id;
}

/* Make an identifier whose route to the listener is resolved. */
__attribute__((unused)) static uint32_t cm_client(int fd, uint64_t uid, uint16_t ps)
{
    uint32_t id = cm_create(fd, uid, ps);

    CHECK_EQ(cm_resolve(fd, id, "127.0.0.1", CM_PORT, 1000), 0);
    cm_expect(fd, ADDR_RESOLVED, uid);
    CHECK_EQ(cm_route(fd, id), 0);
    cm_expect(fd, ROUTE_RESOLVED, uid);
    return id;
}

struct cm_pair {
    int at, of; /* descriptors of listener and client */
    uint32_t listener, server, client;
};

enum { LISTENER_UID = 1, SERVER_UID = 2, CLIENT_UID = 3 };

/* Connect two identifiers of this process. */
__attribute__((unused)) static struct cm_pair cm_pair(void)
{
    struct cm_pair p = { .at = cm_open(0), .of = cm_open(0) };

    p.listener = cm_listener(p.at, LISTENER_UID, 4);
    p.client = cm_client(p.of, CLIENT_UID, RDMA_PS_TCP);
    CHECK_EQ(cm_connect(p.of, p.client, ""), 0);
    p.server = cm_expect(p.at, CONNECT_REQUEST, LISTENER_UID).id;
    CHECK_EQ(cm_accept(p.at, p.server, SERVER_UID), 0);
    cm_expect(p.of, CONNECT_RESPONSE, CLIENT_UID);
    CHECK_EQ(cm_accept(p.of, p.client, 0), 0);
    cm_expect(p.at, ESTABLISHED, SERVER_UID);
    return p;
}

__attribute__((unused)) static void cm_close(struct cm_pair *p)
{
    close(p->at);
    close(p->of);
}

#endif

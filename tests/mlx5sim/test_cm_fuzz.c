/* Random commands for the emulated rdma_cm device. Each command must succeed, or fail with an errno
 * that the kernel gives, and the device must work afterwards. The fields have values that are valid
 * often enough: few identifiers and ports, and addresses of the machine. */
#define _GNU_SOURCE
#include "cm_rig.h"

enum { COMMANDS = 15000, FILES = 2, IDS = 12, SEED = 20230 };

static uint64_t state = SEED;

static uint32_t below(uint32_t limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % limit;
}

static unsigned char answer[1024];

/* Store an address, of which one in eight is nonsense. Return its size in bytes. */
static uint16_t put_addr(void *to)
{
    static const char *const texts[] = { "127.0.0.1", "0.0.0.0", "224.0.0.1", "203.0.113.1" };
    struct sockaddr_in addr = ipv4(texts[below(4) ? 0 : below(4)], below(4) ? CM_PORT : 0);
    struct sockaddr_in6 ipv6 = { .sin6_family = AF_INET6, .sin6_port = addr.sin_port };

    switch (below(16)) {
    case 0:
        memset(to, (int)below(256), sizeof(ipv6));
        return (uint16_t)below(64);
    case 1:
        ipv6.sin6_addr = below(2) ? in6addr_loopback : in6addr_any;
        memcpy(to, &ipv6, sizeof(ipv6));
        return sizeof(ipv6);
    default:
        memcpy(to, &addr, sizeof(addr));
        return sizeof(addr);
    }
}

union any_command {
    unsigned char bytes[600];
    uint64_t response;
    struct rdma_ucm_create_id create;
    struct rdma_ucm_destroy_id destroy;
    struct rdma_ucm_bind_ip bind_ip;
    struct rdma_ucm_bind bind;
    struct rdma_ucm_resolve_ip resolve_ip;
    struct rdma_ucm_resolve_addr resolve_addr;
    struct rdma_ucm_connect connect;
    struct rdma_ucm_listen listen;
    struct rdma_ucm_accept accept;
    struct rdma_ucm_reject reject;
    struct rdma_ucm_query query;
    struct rdma_ucm_init_qp_attr init_qp_attr;
    struct rdma_ucm_set_option option;
    struct rdma_ucm_notify notify;
    struct rdma_ucm_join_mcast join;
    struct rdma_ucm_join_ip_mcast join_ip;
    struct rdma_ucm_migrate_id migrate;
};

static void fill_conn_param(struct rdma_ucm_conn_param *param)
{
    memset(param, (int)below(256), sizeof(*param));
    param->valid = below(4) != 0;
    param->private_data_len = (uint8_t)(below(4) ? below(60) : below(256));
}

static void fill_addresses(uint32_t number, union any_command *c)
{
    static const uint16_t spaces[] = { RDMA_PS_TCP, RDMA_PS_UDP, RDMA_PS_IB, RDMA_PS_IPOIB, 7 };

    switch (number) {
    case RDMA_USER_CM_CMD_CREATE_ID:
        c->create.ps = spaces[below(2) ? 0 : below(5)];
        c->create.qp_type = (uint8_t)(2 + below(3));
        c->create.response = c->response;
        c->create.uid = below(8);
        break;
    case RDMA_USER_CM_CMD_BIND_IP:
        put_addr(&c->bind_ip.addr);
        break;
    case RDMA_USER_CM_CMD_BIND:
        c->bind.addr_size = put_addr(&c->bind.addr);
        break;
    case RDMA_USER_CM_CMD_RESOLVE_IP:
        memset(&c->resolve_ip.src_addr, 0, sizeof(c->resolve_ip.src_addr));
        put_addr(&c->resolve_ip.dst_addr);
        c->resolve_ip.timeout_ms = below(50);
        break;
    case RDMA_USER_CM_CMD_RESOLVE_ADDR:
        c->resolve_addr.dst_size = put_addr(&c->resolve_addr.dst_addr);
        if (below(8) == 0)
            c->resolve_addr.src_size = put_addr(&c->resolve_addr.src_addr);
        c->resolve_addr.timeout_ms = below(50);
        break;
    case RDMA_USER_CM_CMD_JOIN_IP_MCAST:
        put_addr(&c->join_ip.addr);
        break;
    case RDMA_USER_CM_CMD_JOIN_MCAST:
        c->join.addr_size = put_addr(&c->join.addr);
        c->join.join_flags = (uint16_t)below(3);
        break;
    default:
        break;
    }
}

/* Fill the fields of the command that are not the identifier. */
static void fill(uint32_t number, const int files[FILES], union any_command *c)
{
    memset(c, 0, sizeof(*c));
    c->response = below(16) ? address(answer) : below(2) * 8;
    fill_addresses(number, c);
    switch (number) {
    case RDMA_USER_CM_CMD_CONNECT:
        fill_conn_param(&c->connect.conn_param);
        break;
    case RDMA_USER_CM_CMD_ACCEPT:
        c->accept.uid = below(8);
        fill_conn_param(&c->accept.conn_param);
        break;
    case RDMA_USER_CM_CMD_LISTEN:
        c->listen.backlog = below(3);
        break;
    case RDMA_USER_CM_CMD_REJECT:
        c->reject.private_data_len = (uint8_t)below(256);
        break;
    case RDMA_USER_CM_CMD_QUERY:
        c->query.option = below(4);
        break;
    case RDMA_USER_CM_CMD_INIT_QP_ATTR:
        c->init_qp_attr.qp_state = below(8);
        break;
    case RDMA_USER_CM_CMD_NOTIFY:
        c->notify.event = 3 + below(3);
        break;
    case RDMA_USER_CM_CMD_SET_OPTION:
        c->option.optval = address(answer);
        c->option.level = below(3);
        c->option.optname = below(5);
        c->option.optlen = below(3) ? 1u << below(3) : 72 * below(9);
        break;
    case RDMA_USER_CM_CMD_MIGRATE_ID:
        c->migrate.fd = (uint32_t)files[below(FILES)];
        break;
    default:
        break;
    }
}

/* The offset of the identifier in a command, and the length of the command. */
static const struct {
    size_t at, bytes;
} layouts[] = {
#define LAYOUT(command, type)                                                                      \
    [RDMA_USER_CM_CMD_##command] = { offsetof(struct type, id), sizeof(struct type) }
    LAYOUT(DESTROY_ID, rdma_ucm_destroy_id),
    LAYOUT(BIND_IP, rdma_ucm_bind_ip),
    LAYOUT(BIND, rdma_ucm_bind),
    LAYOUT(RESOLVE_IP, rdma_ucm_resolve_ip),
    LAYOUT(RESOLVE_ADDR, rdma_ucm_resolve_addr),
    LAYOUT(RESOLVE_ROUTE, rdma_ucm_resolve_route),
    LAYOUT(QUERY_ROUTE, rdma_ucm_query),
    LAYOUT(QUERY, rdma_ucm_query),
    LAYOUT(CONNECT, rdma_ucm_connect),
    LAYOUT(LISTEN, rdma_ucm_listen),
    LAYOUT(ACCEPT, rdma_ucm_accept),
    LAYOUT(REJECT, rdma_ucm_reject),
    LAYOUT(DISCONNECT, rdma_ucm_disconnect),
    LAYOUT(INIT_QP_ATTR, rdma_ucm_init_qp_attr),
    LAYOUT(SET_OPTION, rdma_ucm_set_option),
    LAYOUT(NOTIFY, rdma_ucm_notify),
    LAYOUT(JOIN_IP_MCAST, rdma_ucm_join_ip_mcast),
    LAYOUT(JOIN_MCAST, rdma_ucm_join_mcast),
    LAYOUT(LEAVE_MCAST, rdma_ucm_destroy_id),
    LAYOUT(MIGRATE_ID, rdma_ucm_migrate_id),
    [RDMA_USER_CM_CMD_CREATE_ID] = { 0, sizeof(struct rdma_ucm_create_id) },
    [RDMA_USER_CM_CMD_GET_EVENT] = { 0, sizeof(struct rdma_ucm_get_event) },
};

static bool is_expected(int err)
{
    static const int expected[] = { 0,      EINVAL, ENOENT,     ENOSPC,        ENOSYS, ENODATA,
                                    EFAULT, EAGAIN, EADDRINUSE, EADDRNOTAVAIL, EISCONN };

    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
        if (err == expected[i])
            return true;
    return false;
}

/* Choose a command: often the one that a program writes after the last command. */
static uint32_t choose(uint32_t last)
{
    static const uint8_t usual[RDMA_USER_CM_CMD_JOIN_MCAST + 1] = {
        [RDMA_USER_CM_CMD_CREATE_ID] = RDMA_USER_CM_CMD_RESOLVE_ADDR,
        [RDMA_USER_CM_CMD_RESOLVE_ADDR] = RDMA_USER_CM_CMD_RESOLVE_ROUTE,
        [RDMA_USER_CM_CMD_RESOLVE_IP] = RDMA_USER_CM_CMD_RESOLVE_ROUTE,
        [RDMA_USER_CM_CMD_RESOLVE_ROUTE] = RDMA_USER_CM_CMD_CONNECT,
        [RDMA_USER_CM_CMD_CONNECT] = RDMA_USER_CM_CMD_GET_EVENT,
        [RDMA_USER_CM_CMD_GET_EVENT] = RDMA_USER_CM_CMD_ACCEPT,
        [RDMA_USER_CM_CMD_ACCEPT] = RDMA_USER_CM_CMD_DISCONNECT,
        [RDMA_USER_CM_CMD_LISTEN] = RDMA_USER_CM_CMD_CREATE_ID,
        [RDMA_USER_CM_CMD_BIND] = RDMA_USER_CM_CMD_LISTEN,
    };

    if (last == RDMA_USER_CM_CMD_CREATE_ID && below(2))
        return RDMA_USER_CM_CMD_BIND;
    return below(4) && usual[last] != 0 ? usual[last] : below(RDMA_USER_CM_CMD_JOIN_MCAST + 1);
}

/* Open the device with an identifier that listens, unless another identifier has the port. */
static int open_with_listener(void)
{
    int fd = cm_open(O_NONBLOCK);
    uint32_t id = cm_create(fd, 1, RDMA_PS_TCP);

    if (cm_bind(fd, id, "127.0.0.1", CM_PORT) == 0)
        (void)cm_listen(fd, id, 2);
    return fd;
}

static void random_commands_leave_a_device_that_works(void)
{
    /* commands that must have succeeded, or the test would only test refusals */
    static const uint32_t common[] = {
        RDMA_USER_CM_CMD_CREATE_ID,     RDMA_USER_CM_CMD_LISTEN,  RDMA_USER_CM_CMD_RESOLVE_ADDR,
        RDMA_USER_CM_CMD_RESOLVE_ROUTE, RDMA_USER_CM_CMD_CONNECT, RDMA_USER_CM_CMD_GET_EVENT,
    };
    unsigned num_ok[RDMA_USER_CM_CMD_JOIN_MCAST + 1] = { 0 };
    union any_command c;
    struct cm_pair pair;
    uint32_t number = 0, id = 0, file = 0;
    int files[FILES];

    for (unsigned i = 0; i < FILES; i++)
        files[i] = open_with_listener();
    for (unsigned i = 0; i < COMMANDS; i++) {
        size_t bytes;
        int err;

        number = choose(number);
        bytes = layouts[number].bytes;
        if (below(4) == 0) {
            id = below(IDS);
            file = below(FILES);
        }
        fill(number, files, &c);
        if (number != RDMA_USER_CM_CMD_CREATE_ID && number != RDMA_USER_CM_CMD_GET_EVENT)
            memcpy(c.bytes + layouts[number].at, &id, sizeof(id));
        err = command(files[file], number, c.bytes, below(32) ? bytes : below((uint32_t)bytes + 1),
                      below(16) ? sizeof(answer) : below(64));
        if (!is_expected(err))
            rig_fail(__FILE__, __LINE__, "command %u of round %u: error %d", number, i, err);
        num_ok[number] += err == 0;
        if (err == 0 && number == RDMA_USER_CM_CMD_CREATE_ID)
            memcpy(&id, answer, sizeof(id));
        if (err == 0 && number == RDMA_USER_CM_CMD_GET_EVENT)
            memcpy(&id, answer + offsetof(struct rdma_ucm_event_resp, id), sizeof(id));
        if (below(500) == 0) { /* all identifiers of a file end at once */
            close(files[file]);
            files[file] = open_with_listener();
        }
    }
    for (unsigned i = 0; i < sizeof(common) / sizeof(common[0]); i++)
        CHECK(num_ok[common[i]] >= 10);
    for (unsigned i = 0; i < FILES; i++)
        close(files[i]);
    pair = cm_pair();
    cm_close(&pair);
}

static const struct rig_case cases[] = { RIG_CASE(random_commands_leave_a_device_that_works) };

RIG_MAIN(cases)

/* The emulated rdma_cm device: the commands behind rdma_resolve_addrinfo(), in the form of the
 * kernel's ABI. Linux 6.17 has them first, so that the test defines them itself. */
#include "cm_rig.h"

enum {
    RESOLVE_IB_SERVICE = 23, /* numbers of commands */
    WRITE_CM_EVENT = 24,
    QUERY_IB_SERVICE = 3, /* option of QUERY */

    ADDRINFO_ERROR = 17, /* events */
    USER = 18,
    INTERNAL = 19,

    UID = 7,
    MISSING = 4242
};

struct write_event {
    uint32_t id, reserved, event, status;
    union {
        uint64_t arg;
        unsigned char bytes[304];
    } param;
};

struct resolve_service {
    uint32_t id, reserved;
    uint64_t service;
    char name[64];
    uint32_t flags, reserved2;
};

static int write_event(int fd, uint32_t id, uint32_t event, uint32_t status, uint64_t arg)
{
    struct write_event cmd = { .id = id, .event = event, .status = status, .param.arg = arg };

    return command(fd, WRITE_CM_EVENT, &cmd, sizeof(cmd), 0);
}

static void program_gets_the_events_that_it_writes(void)
{
    static const uint32_t types[] = { USER, INTERNAL };
    const uint64_t arg = 0x123456789abcdef0;
    struct rdma_ucm_event_resp event;
    int fd = cm_open(0);
    uint32_t id = cm_create(fd, UID, RDMA_PS_TCP);

    for (unsigned i = 0; i < 2; i++) {
        CHECK_EQ(write_event(fd, id, types[i], (uint32_t)-EIO, arg + i), 0);
        event = cm_expect(fd, types[i], UID);
        CHECK_EQ(event.id, id);
        CHECK_EQ((int)event.status, -EIO);
        CHECK_EQ(memcmp(&event.param, &(uint64_t){ arg + i }, sizeof(arg)), 0);
        CHECK(!is_readable(fd, 0));
    }
    CHECK_EQ(cm_destroy(fd, id), 2);
    close(fd);
}

static void written_event_waits_behind_others_and_moves_with_its_identifier(void)
{
    int fd = cm_open(0), to = cm_open(0);
    uint32_t id = cm_create(fd, UID, RDMA_PS_TCP);
    struct rdma_ucm_migrate_resp resp;
    struct rdma_ucm_migrate_id cmd = { .response = address(&resp), .id = id, .fd = (uint32_t)fd };

    CHECK_EQ(cm_resolve(fd, id, "127.0.0.1", CM_PORT, 1000), 0);
    CHECK_EQ(write_event(fd, id, USER, 0, 1), 0);
    CHECK_EQ(command(to, RDMA_USER_CM_CMD_MIGRATE_ID, &cmd, sizeof(cmd), sizeof(resp)), 0);
    cm_expect(to, ADDR_RESOLVED, UID);
    cm_expect(to, USER, UID);
    CHECK(!is_readable(fd, 0));
    close(fd);
    close(to);
}

static void event_of_an_identifier_with_uid_0_is_delivered(void)
{
    int fd = cm_open(0);
    uint32_t id = cm_create(fd, 0, RDMA_PS_TCP);

    CHECK_EQ(write_event(fd, id, USER, 0, 1), 0);
    CHECK_EQ(cm_expect(fd, USER, 0).id, id);
    close(fd);
}

static void other_events_cannot_be_written(void)
{
    int fd = cm_open(O_NONBLOCK), other = cm_open(0);
    uint32_t id = cm_create(fd, UID, RDMA_PS_TCP);
    struct rdma_ucm_event_resp event;

    for (uint32_t type = 0; type < 40; type++)
        if (type != USER && type != INTERNAL)
            CHECK_EQ(write_event(fd, id, type, 0, 0), EINVAL);
    CHECK_EQ(write_event(fd, MISSING, ADDR_RESOLVED, 0, 0), EINVAL); /* checked before */
    CHECK_EQ(write_event(fd, MISSING, USER, 0, 0), ENOENT);
    CHECK_EQ(write_event(other, id, USER, 0, 0), EINVAL);
    CHECK_EQ(cm_get(fd, &event), EAGAIN);
    close(fd);
    close(other);
}

static int resolve_service(int fd, uint32_t id)
{
    struct resolve_service cmd = { .id = id, .name = "service", .flags = 2 };

    return command(fd, RESOLVE_IB_SERVICE, &cmd, sizeof(cmd), 0);
}

static bool is_ethernet(void)
{
    struct rig r = rig_open(0);
    struct ibv_port_attr port;

    CHECK_EQ(ibv_query_port(r.ctx, 1, &port), 0);
    rig_close(&r);
    return port.link_layer == IBV_LINK_LAYER_ETHERNET;
}

/* Only InfiniBand has a subnet administrator. The emulated one knows no service. */
static void services_are_asked_for_on_infiniband_only(void)
{
    int fd = cm_open(0);
    uint32_t id = cm_create(fd, UID, RDMA_PS_TCP), bound = cm_create(fd, UID, RDMA_PS_TCP);
    uint32_t any = cm_create(fd, UID, RDMA_PS_TCP);

    CHECK_EQ(resolve_service(fd, MISSING), ENOENT);
    CHECK_EQ(resolve_service(fd, id), EINVAL); /* the identifier has no device */
    CHECK_EQ(cm_bind(fd, any, "0.0.0.0", 0), 0);
    CHECK_EQ(resolve_service(fd, any), EINVAL);
    CHECK_EQ(cm_bind(fd, bound, "127.0.0.1", 0), 0);
    if (is_ethernet()) {
        CHECK_EQ(resolve_service(fd, bound), EOPNOTSUPP);
        CHECK(!is_readable(fd, 0));
    } else {
        for (unsigned i = 0; i < 2; i++) { /* the identifier can be used as before */
            CHECK_EQ(resolve_service(fd, bound), 0);
            CHECK_EQ((int)cm_expect(fd, ADDRINFO_ERROR, UID).status, -ENOENT);
        }
    }
    CHECK_EQ(cm_listen(fd, bound, 1), 0);
    CHECK_EQ(resolve_service(fd, bound), EINVAL);
    close(fd);
}

static void identifier_without_services_has_none_to_query(void)
{
    unsigned char answer[256];
    int fd = cm_open(0);
    struct rdma_ucm_query cmd = { .response = address(answer),
                                  .id = cm_create(fd, UID, RDMA_PS_TCP),
                                  .option = QUERY_IB_SERVICE };

    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_QUERY, &cmd, sizeof(cmd), 7), ENOSPC);
    CHECK_EQ(command(fd, RDMA_USER_CM_CMD_QUERY, &cmd, sizeof(cmd), sizeof(answer)), ENODATA);
    close(fd);
}

static const struct rig_case cases[] = {
    RIG_CASE(program_gets_the_events_that_it_writes),
    RIG_CASE(written_event_waits_behind_others_and_moves_with_its_identifier),
    RIG_CASE(event_of_an_identifier_with_uid_0_is_delivered),
    RIG_CASE(other_events_cannot_be_written),
    RIG_CASE(services_are_asked_for_on_infiniband_only),
    RIG_CASE(identifier_without_services_has_none_to_query),
};

RIG_MAIN(cases)

/* The RDMA devices of the emulated machine, as the kernel's NETLINK_RDMA describes its devices. */
#define _GNU_SOURCE
#include "program/rdma.h"
#include "wire/protocol.h"

#include <errno.h>
#include <rdma/rdma_netlink.h>
#include <stdio.h>
#include <string.h>

enum {
    DRIVER_MLX5 = 1,            /* RDMA_DRIVER_MLX5 of <rdma/ib_user_ioctl_verbs.h> */
    NODE_CA = 1, PORT_ACTIVE = 4, PORT_LINK_UP = 5,
    UVERBS_ABI = 1, CM_ABI = 4
};

bool rdma_is_asked(const struct nlmsghdr *request)
{
    return (request->nlmsg_flags & NLM_F_REQUEST) != 0 &&
        RDMA_NL_GET_CLIENT(request->nlmsg_type) != 0;
}

static void begin(struct answer *a, const struct nlmsghdr *request)
{
    bool is_list = (request->nlmsg_flags & NLM_F_DUMP) != 0;

    message_begin(a, request, request->nlmsg_type, is_list ? NLM_F_MULTI : 0, NULL, 0);
}

static void put_handle(struct answer *a, const struct wire_function *f, uint32_t index)
{
    message_u32(a, RDMA_NLDEV_ATTR_DEV_INDEX, index);
    message_string(a, RDMA_NLDEV_ATTR_DEV_NAME, f->name);
}

static void put_device(struct answer *a, const struct wire_function *f)
{
    message_u32(a, RDMA_NLDEV_ATTR_PORT_INDEX, 1);      /* the number of ports */
    message_string(a, RDMA_NLDEV_ATTR_FW_VERSION, f->firmware);
    message_u64(a, RDMA_NLDEV_ATTR_NODE_GUID, f->node_guid);
    message_u64(a, RDMA_NLDEV_ATTR_SYS_IMAGE_GUID, f->sys_image_guid);
    message_u8(a, RDMA_NLDEV_ATTR_DEV_NODE_TYPE, NODE_CA);
    message_u8(a, RDMA_NLDEV_ATTR_DEV_DIM, 0);
    message_string(a, RDMA_NLDEV_ATTR_DEV_PROTOCOL, f->is_ethernet ? "roce" : "ib");
}

/* The kernel reports the LIDs of InfiniBand ports and the interfaces of RoCE ports. */
static void put_port(struct answer *a, const struct wire_function *f)
{
    message_u32(a, RDMA_NLDEV_ATTR_PORT_INDEX, 1);
    if (!f->is_ethernet) {
        message_u64(a, RDMA_NLDEV_ATTR_CAP_FLAGS, f->port_flags);
        message_u64(a, RDMA_NLDEV_ATTR_SUBNET_PREFIX, f->subnet_prefix);
        message_u32(a, RDMA_NLDEV_ATTR_LID, f->lid);
        message_u32(a, RDMA_NLDEV_ATTR_SM_LID, f->sm_lid);
        message_u8(a, RDMA_NLDEV_ATTR_LMC, 0);
    }
    message_u8(a, RDMA_NLDEV_ATTR_PORT_STATE, PORT_ACTIVE);
    message_u8(a, RDMA_NLDEV_ATTR_PORT_PHYS_STATE, PORT_LINK_UP);
    if (f->is_ethernet) {
        message_u32(a, RDMA_NLDEV_ATTR_NDEV_INDEX, f->interface);
        message_string(a, RDMA_NLDEV_ATTR_NDEV_NAME, f->interface_name);
    }
}

static void put_counts(struct answer *a, const struct wire_function *f)
{
    static const char *const names[WIRE_NUM_COUNTS] = {
        [WIRE_COUNT_PD] = "pd", [WIRE_COUNT_CQ] = "cq", [WIRE_COUNT_QP] = "qp",
        [WIRE_COUNT_CM_ID] = "cm_id", [WIRE_COUNT_MR] = "mr", [WIRE_COUNT_CTX] = "ctx",
        [WIRE_COUNT_SRQ] = "srq"};
    unsigned i;

    message_nest(a, RDMA_NLDEV_ATTR_RES_SUMMARY);
    for (i = 0; i < WIRE_NUM_COUNTS; i++) {
        message_nest(a, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY);
        message_string(a, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME, names[i]);
        message_u64(a, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR, f->counts[i]);
        message_unnest(a);
    }
    message_unnest(a);
}

/* The commands that describe devices. A list may have messages of all devices, or of one. */
static const struct {
    unsigned op;
    void (*put)(struct answer *a, const struct wire_function *f);
    bool has_port;              /* it describes a port: a single message needs the port's number */
    bool can_list_all;          /* a list without a device has all devices */
} commands[] = {
    {RDMA_NLDEV_CMD_GET, put_device, false, true},
    {RDMA_NLDEV_CMD_PORT_GET, put_port, true, false},
    {RDMA_NLDEV_CMD_RES_GET, put_counts, false, true},
};

/* Executes a command of the table. Returns 0 or an errno. */
static int describe(unsigned command, const struct nlmsghdr *request,
                    const struct wire_description *of, struct answer *a)
{
    const bool is_list = (request->nlmsg_flags & NLM_F_DUMP) != 0;
    const bool is_of_all = is_list && commands[command].can_list_all;
    const uint32_t *index = message_attribute(request, 0, RDMA_NLDEV_ATTR_DEV_INDEX, 4);
    const uint32_t *port = message_attribute(request, 0, RDMA_NLDEV_ATTR_PORT_INDEX, 4);
    uint32_t i;

    if (!is_of_all && (index == NULL || *index >= of->num_functions))
        return EINVAL;
    if (!is_list && commands[command].has_port && (port == NULL || *port != 1))
        return EINVAL;
    for (i = 0; i < of->num_functions; i++) {
        if (!is_of_all && i != *index)
            continue;
        begin(a, request);
        put_handle(a, &of->functions[i], i);
        commands[command].put(a, &of->functions[i]);
        message_end(a);
    }
    return 0;
}

/* Names the character device of an RDMA device, or of the connection manager. */
static int find_char_device(const struct nlmsghdr *request, const struct wire_description *of,
                            struct answer *a)
{
    const char *kind = message_attribute(request, 0, RDMA_NLDEV_ATTR_CHARDEV_TYPE, 0);
    const uint32_t *index = message_attribute(request, 0, RDMA_NLDEV_ATTR_DEV_INDEX, 4);
    bool is_cm;
    char name[24];

    if (kind == NULL)
        return EINVAL;
    is_cm = strcmp(kind, "rdma_cm") == 0;
    if (!is_cm && strcmp(kind, "uverbs") != 0)
        return EOPNOTSUPP;
    if (!is_cm && (index == NULL || *index >= of->num_functions))
        return EINVAL;
    begin(a, request);
    if (!is_cm) {
        put_handle(a, &of->functions[*index], *index);
        message_u32(a, RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID, DRIVER_MLX5);
    }
    /* major number in bits 8 to 19, minor number below it */
    message_u64(a, RDMA_NLDEV_ATTR_CHARDEV, is_cm ? WIRE_CM_MAJOR << 8 | WIRE_CM_MINOR
                : WIRE_UVERBS_MAJOR << 8 | (WIRE_UVERBS_MINOR + *index));
    message_u64(a, RDMA_NLDEV_ATTR_CHARDEV_ABI, is_cm ? CM_ABI : UVERBS_ABI);
    snprintf(name, sizeof(name), "uverbs%u", is_cm ? 0 : *index);
    message_string(a, RDMA_NLDEV_ATTR_CHARDEV_NAME, is_cm ? "rdma_cm" : name);
    message_end(a);
    return 0;
}

static void describe_system(const struct nlmsghdr *request, struct answer *a)
{
    begin(a, request);
    message_u8(a, RDMA_NLDEV_SYS_ATTR_NETNS_MODE, 1);           /* shared */
    message_u8(a, RDMA_NLDEV_SYS_ATTR_COPY_ON_FORK, 1);
    message_end(a);
}

/* Executes a request. Returns 0 or an errno. */
static int execute(const struct nlmsghdr *request, const struct wire_description *of,
                   struct answer *a)
{
    const bool is_list = (request->nlmsg_flags & NLM_F_DUMP) != 0;
    const unsigned op = RDMA_NL_GET_OP(request->nlmsg_type);
    unsigned i;

    if (RDMA_NL_GET_CLIENT(request->nlmsg_type) != RDMA_NL_NLDEV)
        return EOPNOTSUPP;
    for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        if (op == commands[i].op)
            return describe(i, request, of, a);
    if (is_list)
        return EOPNOTSUPP;
    if (op == RDMA_NLDEV_CMD_GET_CHARDEV)
        return find_char_device(request, of, a);
    if (op != RDMA_NLDEV_CMD_SYS_GET)
        return EOPNOTSUPP;
    describe_system(request, a);
    return 0;
}

enum verdict rdma_answer(const struct nlmsghdr *request, const struct wire_description *of,
                         struct answer *a)
{
    const bool is_list = (request->nlmsg_flags & NLM_F_DUMP) != 0;
    const int error = execute(request, of, a);

    if (error == 0 && is_list)
        message_done(a, request);
    else if (error != 0 || (request->nlmsg_flags & NLM_F_ACK) != 0)
        message_error(a, request, error);
    return VERDICT_REPLACE;
}

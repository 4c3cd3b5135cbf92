/* Methods of DevX and UAR objects. They check firmware commands as the kernel does and pass them to
 * the firmware. */
#define _GNU_SOURCE
#include "device/driver/devx_methods.h"
#include "device/driver/channel.h"
#include "device/driver/checks.h"
#include "device/driver/subscription.h"
#include "device/driver/uobject.h"
#include "device/driver/uverbs.h"
#include "device/firmware/dispatch.h"
#include "device/hca/events.h"
#include "device/hca/memory.h"
#include "device/machine/fault.h"
#include "device/machine/log.h"
#include "wire/prm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>

enum {
    CMD_BYTES = 65536,          /* largest command: the length of an attribute has 16 bits */
    MIN_CMD_BYTES = 16,
    EQN = 7,

    OP_CREATE_MKEY = 0x200, OP_CREATE_CQ = 0x400, OP_CREATE_QP = 0x500, OP_CREATE_RMP = 0x90c,
    OP_CREATE_SQ = 0x904, OP_CREATE_RQ = 0x908, OP_SET_FLOW_TABLE_ENTRY = 0x936,
    OP_GENERAL_START = 0xb00, OP_GENERAL_END = 0xd00,
    ACCESS_MODE_KLM = 2, ACCESS_MODE_KSM = 3
};

/* ---- the command buffers --------------------------------------------------------------------- */

static unsigned opcode_of(const uint8_t *in)
{
    return (unsigned)in[0] << 8 | in[1];
}

static void set_bit(uint8_t *base, unsigned bit)
{
    base[bit / 8] |= (uint8_t)(0x80 >> bit % 8);
}

/* True for commands that programs may issue with DEVX_OTHER: queries, and the range of opcodes for
 * general commands. */
static bool is_general(unsigned opcode)
{
    static const uint16_t queries[] = {
        0x100,                  /* QUERY_HCA_CAP */
        0x101,                  /* QUERY_ADAPTER */
        0x10a,                  /* QUERY_ISSI */
        0x740,                  /* QUERY_ESW_FUNCTIONS */
        0x750,                  /* QUERY_VPORT_STATE */
        0x752,                  /* QUERY_ESW_VPORT_CONTEXT */
        0x754,                  /* QUERY_NIC_VPORT_CONTEXT */
        0x760,                  /* QUERY_ROCE_ADDRESS */
        0x762,                  /* QUERY_HCA_VPORT_CONTEXT */
        0x764, 0x765,           /* QUERY_HCA_VPORT_GID, _PKEY */
        0x76f,                  /* QUERY_VNIC_ENV */
        0x770,                  /* QUERY_VPORT_COUNTER */
        0x805,                  /* ACCESS_REG */
        0x80d,                  /* NOP */
        0x822, 0x824, 0x826,    /* QUERY_CONG_STATUS, _PARAMS, _STATISTICS */
        0x842};                 /* QUERY_LAG */
    size_t i;

    if (opcode >= OP_GENERAL_START && opcode < OP_GENERAL_END)
        return true;
    for (i = 0; i < sizeof(queries) / sizeof(queries[0]); i++)
        if (queries[i] == opcode)
            return true;
    return false;
}

/* A command on an entry of a flow table creates one when its op_mod is 0. */
static bool is_create(unsigned opcode, const uint8_t *in)
{
    static const uint16_t creates[] = {
        OP_CREATE_MKEY, OP_CREATE_CQ, OP_CREATE_QP, OP_CREATE_RMP, OP_CREATE_SQ, OP_CREATE_RQ,
        0x600,                  /* CREATE_PSV */
        0x700, 0x705,           /* CREATE_SRQ, CREATE_XRC_SRQ */
        0x710, 0x717,           /* CREATE_DCT, CREATE_XRQ */
        0x771,                  /* ALLOC_Q_COUNTER */
        0x782,                  /* CREATE_SCHEDULING_ELEMENT */
        0x800,                  /* ALLOC_PD */
        0x806,                  /* ATTACH_TO_MCG */
        0x80e,                  /* ALLOC_XRCD */
        0x816,                  /* ALLOC_TRANSPORT_DOMAIN */
        0x900, 0x912, 0x916,    /* CREATE_TIR, _TIS, _RQT */
        0x930, 0x933, 0x936,    /* CREATE_FLOW_TABLE, _GROUP, SET_FLOW_TABLE_ENTRY */
        0x939, 0x93d, 0x940,    /* flow counter, packet reformat, modify header */
        0xa00};                 /* CREATE_GENERAL_OBJECT */
    size_t i;

    if (opcode == OP_SET_FLOW_TABLE_ENTRY && (in[6] | in[7]) != 0)
        return false;
    for (i = 0; i < sizeof(creates) / sizeof(creates[0]); i++)
        if (creates[i] == opcode)
            return true;
    return false;
}

/* Sets the bits that mark addresses as umems. As in the kernel, the driver sets them, not the
 * program. */
static void set_umem_valid(uint8_t *in, size_t len)
{
    const unsigned opcode = opcode_of(in);
    unsigned mode;

    if (opcode == OP_CREATE_MKEY && len >= 0x50) {
        mode = (in[0x10 + 2] & 3u) | (in[0x10] >> 2 & 7u) << 2;
        if (mode != ACCESS_MODE_KLM && mode != ACCESS_MODE_KSM)
            set_bit(in, 0x61);                          /* mkey_umem_valid */
    } else if (opcode == OP_CREATE_CQ && len >= 0x60) {
        set_bit(in, 0x2e0);                             /* cq_umem_valid */
        set_bit(in + 0x10, 6);                          /* cqc.dbr_umem_valid */
    } else if (opcode == OP_CREATE_QP && len >= 0x110) {
        set_bit(in, 0x860);                             /* wq_umem_valid */
        set_bit(in + 0x18, 0x683);                      /* qpc.dbr_umem_valid */
    } else if ((opcode == OP_CREATE_RMP || opcode == OP_CREATE_SQ || opcode == OP_CREATE_RQ) &&
               len >= 0xc0) {
        set_bit(in + 0x20 + 0x30, 0x120);               /* wq.dbr_umem_valid */
        set_bit(in + 0x20 + 0x30, 0x121);               /* wq.wq_umem_valid */
    }
}

struct command {
    uint8_t *in, *out;
    size_t in_len, out_len;
};

static void command_free(struct command *command)
{
    free(command->in);
    free(command->out);
}

/* Reads the command, sets its uid field to the uid of the context, and allocates the buffer for the
 * output. */
static int command_read(const struct call *call, unsigned in_id, unsigned out_id, size_t out_len,
                        struct command *command)
{
    const struct ib_uverbs_attr *in = attr_find(call, in_id);
    const struct ib_uverbs_attr *out = attr_find(call, out_id);
    int err;

    memset(command, 0, sizeof(*command));
    if (call->client->uid == 0)
        return EINVAL;
    command->in_len = in->len;
    command->out_len = out != NULL ? out->len : out_len;
    if (command->in_len < MIN_CMD_BYTES || command->out_len < MIN_CMD_BYTES)
        return EINVAL;
    command->in = calloc(1, command->in_len);
    command->out = calloc(1, command->out_len);
    err = command->in == NULL || command->out == NULL ? ENOMEM
        : attr_in(call, in_id, command->in, command->in_len);
    if (err != 0) {
        command_free(command);
        return err;
    }
    command->in[2] = (uint8_t)(call->client->uid >> 8);
    command->in[3] = (uint8_t)call->client->uid;
    return 0;
}

/* Runs the command. Returns EREMOTEIO when the firmware refuses it; the output with status and
 * syndrome is written in any case. */
static int command_run(const struct call *call, struct command *command, unsigned out_id,
                       struct hca_object **created)
{
    bool good = devx_command(call->client, command->in, command->in_len, command->out,
                             command->out_len, created);
    int err = attr_out(call, out_id, command->out, command->out_len);

    sim_log(SIM_INFO, "    firmware command 0x%x -> status 0x%x syndrome 0x%02x%02x%02x%02x",
            opcode_of(command->in), command->out[0], command->out[4], command->out[5],
            command->out[6], command->out[7]);
    return !good ? EREMOTEIO : err;
}

static int devx_other(struct call *call)
{
    struct command command;
    int err = command_read(call, MLX5_IB_ATTR_DEVX_OTHER_CMD_IN, MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT,
                           0, &command);

    if (err != 0)
        return err;
    err = is_general(opcode_of(command.in))
        ? command_run(call, &command, MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT, NULL) : EINVAL;
    command_free(&command);
    return err;
}

static int devx_obj_create(struct call *call)
{
    struct hca_object *hca = NULL;
    struct uobject *object;
    struct command command;
    int err = command_read(call, MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN,
                           MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT, 0, &command);

    if (err != 0)
        return err;
    object = is_create(opcode_of(command.in), command.in) ? uobject_new(call->context, UO_DEVX)
                                                          : NULL;
    if (object == NULL) {
        command_free(&command);
        return EINVAL;
    }
    set_umem_valid(command.in, command.in_len);
    err = command_run(call, &command, MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT, &hca);
    command_free(&command);
    if (hca == NULL) {
        uobject_drop(object);
        return err != 0 ? err : EINVAL;
    }
    uobject_bind(object, hca);
    attr_out_value(call, MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE, object->handle);
    return err;
}

static int devx_obj_destroy(struct call *call)
{
    struct uobject *object = attr_uobject(call, MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE, UO_DEVX);

    return object != NULL ? uobject_destroy(object, NULL) : ENOENT;
}

/* Modifies or queries an object through its handle. The object may also be a QP, CQ or SRQ that was
 * created through verbs. */
static int run_by_handle(struct call *call, unsigned handle_id, unsigned in_id, unsigned out_id)
{
    struct uobject *object = attr_uobject(call, handle_id, UO_NONE);
    struct command command;
    int err;

    if (object == NULL)
        return ENOENT;
    err = command_read(call, in_id, out_id, 0, &command);
    if (err != 0)
        return err;
    err = object->hca != NULL && devx_refers_to(command.in, command.in_len, object->hca)
        ? command_run(call, &command, out_id, NULL) : EINVAL;
    command_free(&command);
    return err;
}

static int devx_obj_modify(struct call *call)
{
    return run_by_handle(call, MLX5_IB_ATTR_DEVX_OBJ_MODIFY_HANDLE,
                         MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_IN,
                         MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_OUT);
}

static int devx_obj_query(struct call *call)
{
    return run_by_handle(call, MLX5_IB_ATTR_DEVX_OBJ_QUERY_HANDLE,
                         MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN, MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_OUT);
}

/* Posts the result as a record on the channel for commands: wr_id, then the command's output. */
static int devx_obj_async_query(struct call *call)
{
    struct uobject *object = attr_uobject(call, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_HANDLE, UO_NONE);
    int fd = (int)attr_value(call, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_FD);
    size_t out_len = (uint16_t)attr_value(call, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_OUT_LEN);
    uint64_t wr_id = attr_value(call, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_WR_ID);
    struct channel *channel = channel_find(call->context, call->pid, fd, CHANNEL_DEVX_CMD);
    static uint8_t record[8 + CMD_BYTES];
    struct command command;
    int err;

    if (object == NULL || channel == NULL)
        return object == NULL ? ENOENT : EBADF;
    err = command_read(call, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN, 0x1fff, out_len, &command);
    if (err != 0)
        return err;
    if (object->hca == NULL || !devx_refers_to(command.in, command.in_len, object->hca)) {
        err = EINVAL;
    } else {
        devx_command(call->client, command.in, command.in_len, command.out, command.out_len, NULL);
        memcpy(record, &wr_id, 8);
        memcpy(record + 8, command.out, command.out_len);
        channel_post(channel, NULL, record, 8 + command.out_len);
    }
    command_free(&command);
    return err;
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* All UARs are UAR objects, and the program uses the page numbers of the device for them. */
static int devx_query_uar(struct call *call)
{
    uint32_t page = (uint32_t)attr_value(call, MLX5_IB_ATTR_DEVX_QUERY_UAR_USER_IDX);

    if (page >= SIM_UAR_PAGES || call->client->function->uar_owner[page] != call->client)
        return EINVAL;
    return attr_out(call, MLX5_IB_ATTR_DEVX_QUERY_UAR_DEV_IDX, &page, sizeof(page));
}

static int devx_query_eqn(struct call *call)
{
    uint32_t vector = (uint32_t)attr_value(call, MLX5_IB_ATTR_DEVX_QUERY_EQN_USER_VEC);
    uint32_t eqn = EQN + vector;

    if (vector >= machine.profile.num_comp_vectors)
        return EINVAL;
    return attr_out(call, MLX5_IB_ATTR_DEVX_QUERY_EQN_DEV_EQN, &eqn, sizeof(eqn));
}

/* ---- UAR, umem ------------------------------------------------------------------------------ */

static int alloc_uar(struct call *call)
{
    struct sim_function *function = call->client->function;
    const uint32_t len = SIM_PAGE;
    struct uobject *uar;
    uint64_t offset;
    uint32_t page;
    int err;

    if (attr_value(call, MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE) > MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC)
        return EINVAL;
    for (page = 1; page < SIM_UAR_PAGES && function->uar_owner[page] != NULL; page++)
        ;
    uar = page < SIM_UAR_PAGES ? uobject_new(call->context, UO_UAR) : NULL;
    if (uar == NULL)
        return ENOMEM;
    uar->uar_page = page;
    function->uar_owner[page] = call->client;
    memset(function->bar + (size_t)page * SIM_PAGE, 0, SIM_PAGE);
    offset = uverbs_mmap_offset(UVERBS_MMAP_UAR, page);
    attr_out_value(call, MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE, uar->handle);
    err = attr_out(call, MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET, &offset, sizeof(offset));
    err = err != 0 ? err : attr_out(call, MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH, &len,
                                    sizeof(len));
    return err != 0 ? err : attr_out(call, MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID, &page,
                                     sizeof(page));
}

static int destroy_uar(struct call *call)
{
    struct uobject *uar = attr_uobject(call, MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE, UO_UAR);

    return uar != NULL ? uobject_destroy(uar, NULL) : ENOENT;
}

static int reg_umem(struct call *call)
{
    uint64_t addr = attr_value(call, MLX5_IB_ATTR_DEVX_UMEM_REG_ADDR);
    uint64_t len = attr_value(call, MLX5_IB_ATTR_DEVX_UMEM_REG_LEN);
    uint32_t access = (uint32_t)attr_value(call, MLX5_IB_ATTR_DEVX_UMEM_REG_ACCESS);
    const struct ib_uverbs_attr *fd = attr_find(call, MLX5_IB_ATTR_DEVX_UMEM_REG_DMABUF_FD);
    struct sim_space *space = NULL;
    struct hca_object *hca;
    struct uobject *umem;
    int err = uverbs_check_access(access);

    if (err != 0 || call->client->uid == 0)
        return err != 0 ? err : EINVAL;
    if (fd != NULL) {
        space = space_of_client_file(call->space, (int)fd->data_s64, addr, len, &err);
        addr %= SIM_PAGE;
    } else {
        err = uverbs_check_memory(call, addr, len, (access & IB_UVERBS_ACCESS_LOCAL_WRITE) != 0);
        space = err == 0 ? sim_space_get(call->space) : NULL;
    }
    if (space == NULL)
        return err;
    umem = uobject_new(call->context, UO_UMEM);
    err = umem != NULL ? fault_driver_command(PRM_CREATE_UMEM) : ENOMEM;
    err = err != 0 ? err : hca_umem_create(call->client, space, addr, len, access, &hca);
    sim_space_put(space);
    if (err != 0) {
        if (umem != NULL)
            uobject_drop(umem);
        return err;
    }
    uobject_bind(umem, hca);
    attr_out_value(call, MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE, umem->handle);
    return attr_out(call, MLX5_IB_ATTR_DEVX_UMEM_REG_OUT_ID, &hca->number, 4);
}

static int dereg_umem(struct call *call)
{
    struct uobject *umem = attr_uobject(call, MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE, UO_UMEM);

    return umem != NULL ? uobject_destroy(umem, NULL) : ENOENT;
}

/* ---- events --------------------------------------------------------------------------------- */

static int alloc_event_fd(struct call *call)
{
    uint32_t flags =
        (uint32_t)attr_value(call, MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_FLAGS);
    struct channel *channel;
    int fd;

    if ((flags & ~(uint32_t)MLX5_IB_UAPI_DEVX_CR_EV_CH_FLAGS_OMIT_DATA) != 0)
        return EINVAL;
    channel = channel_new(call->context, CHANNEL_DEVX_EVENT, flags, &fd);
    if (channel == NULL)
        return EMFILE;
    channel_on_free(channel, subscriptions_remove_channel);
    attr_out_fd(call, MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_HANDLE, fd);
    return 0;
}

static int alloc_cmd_fd(struct call *call)
{
    int fd;

    if (channel_new(call->context, CHANNEL_DEVX_CMD, 0, &fd) == NULL)
        return EMFILE;
    attr_out_fd(call, MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE, fd);
    return 0;
}

/* True when the kernel lets a program subscribe to the event on a device without the capability
 * event_cap. `of_object`: the subscription names an object. */
static bool may_subscribe(bool of_object, unsigned event)
{
    static const uint8_t events_of_objects[] = {
        SIM_EVENT_COMP, 0x01, SIM_EVENT_COMM_EST, SIM_EVENT_SQ_DRAINED, SIM_EVENT_CQ_ERROR,
        SIM_EVENT_WQ_CATAS, 0x07, SIM_EVENT_WQ_INVALID_REQ, SIM_EVENT_WQ_ACCESS,
        SIM_EVENT_SRQ_CATAS, SIM_EVENT_LAST_WQE, SIM_EVENT_SRQ_LIMIT, SIM_EVENT_DCT_DRAINED,
        SIM_EVENT_DCT_KEY, 0x18 /* of XRQs, which this device does not have */
    };
    size_t i;

    if (!of_object)
        return event == SIM_EVENT_PORT_CHANGE;
    for (i = 0; i < sizeof(events_of_objects); i++)
        if (events_of_objects[i] == event)
            return true;
    return false;
}

/* Duplicates the eventfd that the call names. Sets `fd` to -1 when the call names none. */
static int eventfd_of_call(const struct call *call, int *fd)
{
    const struct ib_uverbs_attr *attr = attr_find(call, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_NUM);
    char path[32], target[32];
    ssize_t n;
    int err = 0;

    *fd = -1;
    if (attr == NULL)
        return 0;
    if (attr_find(call, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_COOKIE) != NULL)
        return EINVAL;
    *fd = space_client_fd(call->space, (int)attr->data, &err);
    if (*fd < 0)
        return err;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", *fd);
    n = readlink(path, target, sizeof(target) - 1);
    target[n < 0 ? 0 : n] = '\0';
    if (strcmp(target, "anon_inode:[eventfd]") == 0)
        return 0;
    close(*fd);
    return EINVAL;
}

/* Finds the object of a subscription. Sets it to NULL when the call names none. */
static int object_of_subscription(const struct call *call, struct hca_object **object)
{
    const struct ib_uverbs_attr *handle =
        attr_find(call, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_OBJ_HANDLE);
    struct uobject *uobject;

    *object = NULL;
    if (handle == NULL)
        return 0;
    uobject = uobject_find(call->context, (uint32_t)handle->data, UO_DEVX);
    if (uobject == NULL || uobject->hca == NULL)
        return ENOENT;
    *object = uobject->hca;
    return 0;
}

static int subscribe(struct call *call)
{
    enum { MAX_EVENTS = 16 };
    const struct ib_uverbs_attr *list =
        attr_find(call, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST);
    int fd = (int)attr_value(call, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_HANDLE), err, eventfd;
    struct channel *channel = channel_find(call->context, call->pid, fd, CHANNEL_DEVX_EVENT);
    uint64_t cookie = attr_value(call, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_COOKIE);
    uint16_t events[MAX_EVENTS];
    struct hca_object *object;
    unsigned i, n = list->len / sizeof(events[0]);

    if (channel == NULL)
        return EBADF;
    err = object_of_subscription(call, &object);
    if (err != 0)
        return err;
    if (n == 0 || n > MAX_EVENTS)
        return EINVAL;
    err = attr_in(call, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST, events,
                  n * sizeof(events[0]));
    for (i = 0; err == 0 && i < n; i++)
        if (!may_subscribe(object != NULL, events[i]))
            err = EINVAL;
    err = err != 0 ? err : eventfd_of_call(call, &eventfd);
    if (err != 0)
        return err;
    for (i = 0; i < n; i++) {
        err = subscription_add(channel, call->client->function, object, events[i], cookie,
                               eventfd);
        if (err != 0) {
            subscriptions_remove_latest(i);
            break;
        }
    }
    if (eventfd >= 0)
        close(eventfd);
    return err;
}

/* ---- table ---------------------------------------------------------------------------------- */

#define NEEDS(bits) ((uint64_t)(bits) << 32)

const struct method devx_methods[] = {
    {MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_OTHER, "DEVX.OTHER", devx_other, 0, 2, NEEDS(3),
     false},
    {MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_QUERY_UAR, "DEVX.QUERY_UAR", devx_query_uar, 0, 2,
     NEEDS(3), false},
    {MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_QUERY_EQN, "DEVX.QUERY_EQN", devx_query_eqn, 0, 2,
     NEEDS(3), false},
    {MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_SUBSCRIBE_EVENT, "DEVX.SUBSCRIBE_EVENT", subscribe,
     0, 5, NEEDS(5), false},
    {MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_CREATE, "DEVX_OBJ.CREATE", devx_obj_create,
     0, 3, NEEDS(7), false},
    {MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_DESTROY, "DEVX_OBJ.DESTROY",
     devx_obj_destroy, 0, 1, NEEDS(1), true},
    {MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_MODIFY, "DEVX_OBJ.MODIFY", devx_obj_modify,
     0, 3, NEEDS(7), false},
    {MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_QUERY, "DEVX_OBJ.QUERY", devx_obj_query, 0,
     3, NEEDS(7), false},
    {MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_ASYNC_QUERY, "DEVX_OBJ.ASYNC_QUERY",
     devx_obj_async_query, 0, 5, NEEDS(31), false},
    {MLX5_IB_OBJECT_DEVX_UMEM, MLX5_IB_METHOD_DEVX_UMEM_REG, "DEVX_UMEM.REG", reg_umem, 0, 7,
     NEEDS(31), false},
    {MLX5_IB_OBJECT_DEVX_UMEM, MLX5_IB_METHOD_DEVX_UMEM_DEREG, "DEVX_UMEM.DEREG", dereg_umem, 0,
     1, NEEDS(1), true},
    {MLX5_IB_OBJECT_DEVX_ASYNC_EVENT_FD, MLX5_IB_METHOD_DEVX_ASYNC_EVENT_FD_ALLOC,
     "DEVX_ASYNC_EVENT_FD.ALLOC", alloc_event_fd, 0, 2, NEEDS(1), false},
    {MLX5_IB_OBJECT_DEVX_ASYNC_CMD_FD, MLX5_IB_METHOD_DEVX_ASYNC_CMD_FD_ALLOC,
     "DEVX_ASYNC_CMD_FD.ALLOC", alloc_cmd_fd, 0, 1, NEEDS(1), false},
    {MLX5_IB_OBJECT_UAR, MLX5_IB_METHOD_UAR_OBJ_ALLOC, "UAR.ALLOC", alloc_uar, 0, 5, NEEDS(31),
     false},
    {MLX5_IB_OBJECT_UAR, MLX5_IB_METHOD_UAR_OBJ_DESTROY, "UAR.DESTROY", destroy_uar, 0, 1,
     NEEDS(1), true},
    {.run = NULL}};

/*
 * The commands of the rdma_cm device: the checks that the kernel makes before it executes a
 * command, and the errno of each of them. As in the kernel, the number of bytes that are read of a
 * command is the size of its structure, whatever length the header of the command says.
 */
#define _GNU_SOURCE
#include "device/cm/commands.h"
#include "device/cm/address.h"
#include "device/cm/event.h"
#include "device/cm/id.h"
#include "device/cm/link.h"
#include "device/cm/multicast.h"
#include "device/cm/query.h"
#include "device/machine/log.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Commands of Linux 6.17, which linux-libc-dev may not have yet. */
enum { CMD_RESOLVE_IB_SERVICE = 23, CMD_WRITE_CM_EVENT = 24, QUERY_IB_SERVICE = 3 };

struct cmd_resolve_ib_service {
    uint32_t id, reserved;
    uint64_t service;
    char name[64];
    uint32_t flags, reserved_2;
};

struct cmd_write_cm_event {
    uint32_t id, reserved, event, status;
    union {
        uint64_t arg;
        struct rdma_ucm_ud_param longest;
    } param;
};

enum {
    REJ_CONSUMER = 28, REJ_VENDOR_OPTION = 35,
    EVENT_COMM_EST = 4,         /* IB_EVENT_COMM_EST */
    PATH_BYTES = sizeof(struct ib_path_rec_data)
};

struct cm_call {
    struct cm_file *file;
    struct sim_space *space;
    uint64_t in;                /* address of the structure behind the header */
    uint16_t in_bytes, out_bytes;
};

static struct cm_file *files;

static int get(const struct cm_call *call, void *cmd, size_t bytes)
{
    return sim_read(call->space, call->in, cmd, bytes);
}

/* Writes an answer, cut to the room that the program has. The caller has checked that there is room
 * for all fields of the oldest kernel; later kernels have added fields at the end. */
static int give(const struct cm_call *call, uint64_t to, const void *resp, size_t bytes)
{
    return sim_write(call->space, to, resp, bytes < call->out_bytes ? bytes : call->out_bytes);
}

/* ---- identifiers ---------------------------------------------------------------------------- */

static int create_id(struct cm_call *call)
{
    struct rdma_ucm_create_id_resp resp;
    struct rdma_ucm_create_id cmd;
    struct cm_id *id;
    uint8_t type;
    int err = call->out_bytes < sizeof(resp) ? ENOSPC : get(call, &cmd, sizeof(cmd));

    if (err != 0)
        return err;
    if (cmd.ps == RDMA_PS_TCP)
        type = IB_UVERBS_QPT_RC;
    else if (cmd.ps == RDMA_PS_UDP || cmd.ps == RDMA_PS_IPOIB)
        type = IB_UVERBS_QPT_UD;
    else if (cmd.ps == RDMA_PS_IB)
        type = cmd.qp_type;
    else
        return EINVAL;
    id = cm_id_new(call->file, cmd.uid, cmd.ps, type);
    if (id == NULL)
        return ENOMEM;
    resp.id = id->handle;
    err = give(call, cmd.response, &resp, sizeof(resp));
    if (err != 0)
        cm_id_free(id);
    return err;
}

static void end_id(struct cm_id *id)
{
    struct cm_file *file = id->file;

    if (id->request != NULL)
        id->request->request = NULL;    /* the event stays, because it occupies the backlog */
    link_end(id);
    multicast_end(id);
    /* requests that the program has not read end with their listener */
    cm_events_drop(file, id, NULL, end_id);
    cm_id_free(id);
}

static int destroy_id(struct cm_call *call)
{
    struct rdma_ucm_destroy_id_resp resp;
    struct rdma_ucm_destroy_id cmd;
    struct cm_id *id;
    int err = call->out_bytes < sizeof(resp) ? ENOSPC : get(call, &cmd, sizeof(cmd));

    err = err != 0 ? err : cm_id_find(call->file, cmd.id, &id);
    if (err != 0)
        return err;
    resp.events_reported = id->events_reported;
    end_id(id);
    return give(call, cmd.response, &resp, sizeof(resp));
}

/* Copies an address of IPv4 or IPv6. False for another family. */
static bool copy_ip(const struct sockaddr_in6 *from, union cm_addr *to)
{
    memset(to, 0, sizeof(*to));
    memcpy(to, from, sizeof(*from));
    return to->any.sa_family == AF_INET || to->any.sa_family == AF_INET6;
}

/* Copies an address of any family, whose size the program gives too. */
static bool copy_addr(const void *from, uint16_t bytes, union cm_addr *to)
{
    memcpy(to, from, sizeof(*to));
    return bytes != 0 && bytes == cm_addr_size(to);
}

static int bind_ip(struct cm_call *call)
{
    struct rdma_ucm_bind_ip cmd;
    union cm_addr addr;
    struct cm_id *id;
    int err = get(call, &cmd, sizeof(cmd));

    if (err == 0 && !copy_ip(&cmd.addr, &addr))
        err = EINVAL;
    err = err != 0 ? err : cm_id_find(call->file, cmd.id, &id);
    return err != 0 ? err : cm_bind(id, &addr);
}

static int bind_addr(struct cm_call *call)
{
    struct rdma_ucm_bind cmd;
    union cm_addr addr;
    struct cm_id *id;
    int err = get(call, &cmd, sizeof(cmd));

    if (err == 0 && (cmd.reserved != 0 || !copy_addr(&cmd.addr, cmd.addr_size, &addr)))
        err = EINVAL;
    err = err != 0 ? err : cm_id_find(call->file, cmd.id, &id);
    return err != 0 ? err : cm_bind(id, &addr);
}

static int resolve_ip(struct cm_call *call)
{
    struct rdma_ucm_resolve_ip cmd;
    union cm_addr src, dst;
    struct cm_id *id;
    int err = get(call, &cmd, sizeof(cmd));

    if (err == 0 && ((!copy_ip(&cmd.src_addr, &src) && src.any.sa_family != 0) ||
                     !copy_ip(&cmd.dst_addr, &dst)))
        err = EINVAL;
    err = err != 0 ? err : cm_id_find(call->file, cmd.id, &id);
    return err != 0 ? err : cm_resolve_addr(id, &src, &dst, cmd.timeout_ms);
}

static int resolve_addr(struct cm_call *call)
{
    struct rdma_ucm_resolve_addr cmd;
    union cm_addr src = {.any = {0}}, dst;
    struct cm_id *id;
    int err = get(call, &cmd, sizeof(cmd));

    if (err == 0 && (cmd.reserved != 0 || !copy_addr(&cmd.dst_addr, cmd.dst_size, &dst) ||
                     (cmd.src_size != 0 && !copy_addr(&cmd.src_addr, cmd.src_size, &src))))
        err = EINVAL;
    err = err != 0 ? err : cm_id_find(call->file, cmd.id, &id);
    return err != 0 ? err : cm_resolve_addr(id, &src, &dst, cmd.timeout_ms);
}

/* Finds the identifier of a command that needs a device: EINVAL when the identifier has none. */
static int find_with_device(const struct cm_call *call, uint32_t handle, struct cm_id **id)
{
    int err = cm_id_find(call->file, handle, id);

    return err == 0 && (*id)->function == NULL ? EINVAL : err;
}

static int resolve_route(struct cm_call *call)
{
    struct rdma_ucm_resolve_route cmd;
    struct cm_id *id;
    int err = get(call, &cmd, sizeof(cmd));

    err = err != 0 ? err : find_with_device(call, cmd.id, &id);
    return err != 0 ? err : cm_resolve_route(id);
}

/* Only InfiniBand has a subnet administrator. The emulated subnet administrator has no records of
 * services. So the program gets an error event (assumed), and the identifier keeps its state. */
static int resolve_ib_service(struct cm_call *call)
{
    struct cmd_resolve_ib_service cmd;
    struct cm_id *id;
    int err = get(call, &cmd, sizeof(cmd));

    err = err != 0 ? err : cm_id_find(call->file, cmd.id, &id);
    if (err != 0)
        return err;
    if (id->function == NULL || id->state != CM_BOUND)
        return EINVAL;
    if (machine.profile.ethernet)
        return EOPNOTSUPP;
    cm_event_simple(id, CM_ADDRINFO_ERROR, -ENOENT);
    return 0;
}

static int listen_id(struct cm_call *call)
{
    struct rdma_ucm_listen cmd;
    struct cm_id *id;
    int err = get(call, &cmd, sizeof(cmd));

    err = err != 0 ? err : cm_id_find(call->file, cmd.id, &id);
    return err != 0 ? err : cm_listen(id, cmd.backlog);
}

/* ---- queries -------------------------------------------------------------------------------- */

static int query_of_route(struct cm_call *call)
{
    struct rdma_ucm_query_route_resp resp;
    struct rdma_ucm_query cmd;
    struct cm_id *id;
    int err = call->out_bytes < offsetof(struct rdma_ucm_query_route_resp, ibdev_index) ? ENOSPC
        : get(call, &cmd, sizeof(cmd));

    err = err != 0 ? err : cm_id_find(call->file, cmd.id, &id);
    if (err != 0)
        return err;
    query_route(id, &resp);
    return give(call, cmd.response, &resp, sizeof(resp));
}

static int query(struct cm_call *call)
{
    union {
        struct rdma_ucm_query_addr_resp addr;
        struct rdma_ucm_query_path_resp path;
        unsigned char bytes[sizeof(struct rdma_ucm_query_path_resp) + PATH_BYTES];
    } resp;
    struct rdma_ucm_query cmd;
    struct cm_id *id;
    size_t bytes = sizeof(resp.addr);
    size_t least = offsetof(struct rdma_ucm_query_addr_resp, ibdev_index);
    int err = get(call, &cmd, sizeof(cmd));

    err = err != 0 ? err : cm_id_find(call->file, cmd.id, &id);
    if (err != 0)
        return err;
    if (cmd.option == RDMA_USER_CM_QUERY_ADDR) {
        query_addr(id, &resp.addr);
    } else if (cmd.option == RDMA_USER_CM_QUERY_GID) {
        query_gid(id, &resp.addr);
    } else if (cmd.option == RDMA_USER_CM_QUERY_PATH) {
        query_path(id, &resp.path);
        least = sizeof(resp.path);
        bytes = least + (resp.path.num_paths > 0 && call->out_bytes >= sizeof(resp.bytes)
                             ? PATH_BYTES : 0);
    } else if (cmd.option == QUERY_IB_SERVICE) {
        return call->out_bytes < 2 * sizeof(uint32_t) ? ENOSPC : ENODATA;
    } else {
        return ENOSYS;
    }
    return call->out_bytes < least ? ENOSPC : give(call, cmd.response, &resp, bytes);
}

static int init_qp_attr(struct cm_call *call)
{
    struct ib_uverbs_qp_attr attr = {0};
    struct rdma_ucm_init_qp_attr cmd;
    struct cm_id *id;
    int err = call->out_bytes < sizeof(attr) ? ENOSPC : get(call, &cmd, sizeof(cmd));

    if (err == 0 && cmd.qp_state > 6)   /* the states end with ERR */
        err = EINVAL;
    err = err != 0 ? err : find_with_device(call, cmd.id, &id);
    err = err != 0 ? err : link_qp_attr(id, cmd.qp_state, &attr);
    return err != 0 ? err : give(call, cmd.response, &attr, sizeof(attr));
}

/* ---- connections ---------------------------------------------------------------------------- */

static int connect_id(struct cm_call *call)
{
    struct rdma_ucm_connect cmd;
    struct cm_id *id;
    const size_t least = offsetof(struct rdma_ucm_connect, ece);
    int err = call->in_bytes < least ? EINVAL : get(call, &cmd, least);

    if (err == 0 && !cmd.conn_param.valid)
        err = EINVAL;
    err = err != 0 ? err : find_with_device(call, cmd.id, &id);
    return err != 0 ? err : link_connect(id, &cmd.conn_param);
}

static int accept_id(struct cm_call *call)
{
    struct rdma_ucm_accept cmd;
    struct cm_id *id;
    const size_t least = offsetof(struct rdma_ucm_accept, ece);
    int err = call->in_bytes < least ? EINVAL : get(call, &cmd, least);

    err = err != 0 ? err : find_with_device(call, cmd.id, &id);
    return err != 0 ? err : link_accept(id, cmd.uid, &cmd.conn_param);
}

static int reject_id(struct cm_call *call)
{
    struct rdma_ucm_reject cmd;
    struct cm_id *id;
    int err = get(call, &cmd, sizeof(cmd));

    if (err == 0 && cmd.reason == 0)
        cmd.reason = REJ_CONSUMER;
    if (err == 0 && cmd.reason != REJ_CONSUMER && cmd.reason != REJ_VENDOR_OPTION)
        err = EINVAL;
    err = err != 0 ? err : find_with_device(call, cmd.id, &id);
    return err != 0 ? err : link_reject(id, cmd.reason, cmd.private_data, cmd.private_data_len);
}

static int disconnect_id(struct cm_call *call)
{
    struct rdma_ucm_disconnect cmd;
    struct cm_id *id;
    int err = get(call, &cmd, sizeof(cmd));

    err = err != 0 ? err : find_with_device(call, cmd.id, &id);
    return err != 0 ? err : link_disconnect(id);
}

static int notify(struct cm_call *call)
{
    struct rdma_ucm_notify cmd;
    struct cm_id *id;
    int err = get(call, &cmd, sizeof(cmd));

    err = err != 0 ? err : find_with_device(call, cmd.id, &id);
    if (err == 0 && cmd.event != EVENT_COMM_EST)
        err = EINVAL;
    return err != 0 ? err : link_notify_established(id);
}

/* ---- events --------------------------------------------------------------------------------- */

static int get_event(struct cm_call *call)
{
    struct rdma_ucm_get_event cmd;
    struct cm_event *event = call->file->first;
    int err = call->out_bytes < offsetof(struct rdma_ucm_event_resp, reserved) ? ENOSPC
        : get(call, &cmd, sizeof(cmd));

    if (err == 0 && event == NULL)
        err = EAGAIN;
    err = err != 0 ? err : give(call, cmd.response, &event->resp, sizeof(event->resp));
    if (err != 0)
        return err;
    event->id->events_reported++;
    if (event->multicast != NULL)
        multicast_event_read(event->multicast);
    cm_event_remove_first(call->file);
    if (event->request != NULL)
        event->request->request = NULL;
    if (event->resp.event == CM_CONNECT_REQUEST) {
        event->id->backlog++;
        link_retry_requests(event->id);
    }
    free(event);
    return 0;
}

/* Queues an event that the program, or its library, sends to itself. */
static int write_cm_event(struct cm_call *call)
{
    struct cmd_write_cm_event cmd;
    struct cm_event *event;
    struct cm_id *id;
    int err = get(call, &cmd, sizeof(cmd));

    if (err == 0 && cmd.event != CM_USER && cmd.event != CM_INTERNAL)
        err = EINVAL;
    err = err != 0 ? err : cm_id_find(call->file, cmd.id, &id);
    if (err != 0)
        return err;
    event = cm_event_new(id, cmd.event, (int32_t)cmd.status);
    if (event == NULL)
        return ENOMEM;
    memcpy(&event->resp.param, &cmd.param.arg, sizeof(cmd.param.arg));
    cm_event_post(event);
    return 0;
}

/* The library replaces the descriptor in the command by the number of the file. Like the kernel,
 * the function writes the whole answer, whatever room the header of the command says. */
static int migrate_id(struct cm_call *call)
{
    struct rdma_ucm_migrate_resp resp;
    struct rdma_ucm_migrate_id cmd;
    struct cm_file *from = files;
    struct cm_id *id;
    int err = get(call, &cmd, sizeof(cmd));

    if (err != 0)
        return err;
    while (from != NULL && from->number != cmd.fd)
        from = from->next;
    err = from == NULL ? ENOENT : cm_id_find(from, cmd.id, &id);
    if (err != 0)
        return err;
    if (from != call->file) {
        cm_events_move(from, call->file, id);
        id->file = call->file;
    }
    resp.events_reported = id->events_reported;
    return sim_write(call->space, cmd.response, &resp, sizeof(resp));
}

/* ---- multicast ------------------------------------------------------------------------------ */

/* Joins the group, and writes the handle of the membership. */
static int join(struct cm_call *call, uint32_t handle, uint64_t uid, const union cm_addr *addr,
                uint64_t response)
{
    struct rdma_ucm_create_id_resp resp;
    uint32_t reported;
    struct cm_id *id;
    int err = cm_id_find(call->file, handle, &id);

    err = err != 0 ? err : multicast_join(id, uid, addr, &resp.id);
    if (err != 0)
        return err;
    err = give(call, response, &resp, sizeof(resp));
    if (err != 0)
        multicast_leave(call->file, resp.id, &reported);
    return err;
}

static int join_ip(struct cm_call *call)
{
    struct rdma_ucm_join_ip_mcast cmd;
    union cm_addr addr;
    int err = call->out_bytes < sizeof(struct rdma_ucm_create_id_resp) ? ENOSPC
        : get(call, &cmd, sizeof(cmd));

    if (err == 0 && !copy_ip(&cmd.addr, &addr))
        err = EINVAL;
    return err != 0 ? err : join(call, cmd.id, cmd.uid, &addr, cmd.response);
}

static int join_addr(struct cm_call *call)
{
    struct rdma_ucm_join_mcast cmd;
    union cm_addr addr;
    int err = call->out_bytes < sizeof(struct rdma_ucm_create_id_resp) ? ENOSPC
        : get(call, &cmd, sizeof(cmd));

    if (err == 0 && (!copy_addr(&cmd.addr, cmd.addr_size, &addr) ||
                     cmd.join_flags >= RDMA_MC_JOIN_FLAG_RESERVED))
        err = EINVAL;
    return err != 0 ? err : join(call, cmd.id, cmd.uid, &addr, cmd.response);
}

static int leave(struct cm_call *call)
{
    struct rdma_ucm_destroy_id_resp resp;
    struct rdma_ucm_destroy_id cmd;
    int err = call->out_bytes < sizeof(resp) ? ENOSPC : get(call, &cmd, sizeof(cmd));

    err = err != 0 ? err : multicast_leave(call->file, cmd.id, &resp.events_reported);
    return err != 0 ? err : give(call, cmd.response, &resp, sizeof(resp));
}

/* ---- options -------------------------------------------------------------------------------- */

static int set_reuseaddr(struct cm_id *id, bool on)
{
    if (id->state != CM_IDLE && !(on && id->state != CM_LISTEN))
        return EINVAL;
    id->reuseaddr = on;
    return 0;
}

static int set_afonly(struct cm_id *id, bool on)
{
    if (id->state != CM_IDLE && id->state != CM_BOUND)
        return EINVAL;
    id->afonly = on;
    return 0;
}

static int set_id_option(struct cm_id *id, uint32_t name, const void *value, uint32_t bytes)
{
    const uint32_t expected = name == RDMA_OPTION_ID_TOS || name == RDMA_OPTION_ID_ACK_TIMEOUT
        ? 1 : sizeof(int);
    int number = 0;

    if (name > RDMA_OPTION_ID_ACK_TIMEOUT)
        return ENOSYS;
    if (bytes != expected)
        return EINVAL;
    memcpy(&number, value, bytes);
    if (name == RDMA_OPTION_ID_REUSEADDR)
        return set_reuseaddr(id, number != 0);
    if (name == RDMA_OPTION_ID_AFONLY)
        return set_afonly(id, number != 0);
    if (name == RDMA_OPTION_ID_TOS)
        return 0;               /* packets have no type of service here */
    if (id->qp_type != IB_UVERBS_QPT_RC)
        return EINVAL;
    id->has_timeout = true;
    id->timeout = (uint8_t)(number & 0x1f);
    return 0;
}

/* A path replaces RESOLVE_ROUTE. The emulated fabric has one path between two ports, so the
 * contents of the path are not used. */
static int set_path(struct cm_id *id, const struct ib_path_rec_data *paths, uint32_t bytes)
{
    const uint32_t wanted = IB_PATH_GMP | IB_PATH_PRIMARY | IB_PATH_BIDIRECTIONAL;
    uint32_t i;

    if (bytes == 0 || bytes % PATH_BYTES != 0)
        return EINVAL;
    for (i = 0; i < bytes / PATH_BYTES; i++)
        if (paths[i].flags == wanted)
            return cm_resolve_route(id);
    return EINVAL;
}

static int set_option(struct cm_call *call)
{
    struct ib_path_rec_data value[8];
    struct rdma_ucm_set_option cmd;
    struct cm_id *id;
    int err = get(call, &cmd, sizeof(cmd));

    err = err != 0 ? err : cm_id_find(call->file, cmd.id, &id);
    if (err != 0)
        return err;
    if (cmd.optlen > sizeof(value))
        return EINVAL;
    err = cmd.optlen > 0 ? sim_read(call->space, cmd.optval, value, cmd.optlen) : 0;
    if (err != 0)
        return err;
    if (cmd.level == RDMA_OPTION_ID)
        return set_id_option(id, cmd.optname, value, cmd.optlen);
    if (cmd.level != RDMA_OPTION_IB || cmd.optname != RDMA_OPTION_IB_PATH)
        return ENOSYS;
    return id->function == NULL ? EINVAL : set_path(id, value, cmd.optlen);
}

/* ---- write(2), open, close ------------------------------------------------------------------ */

static const struct {
    const char *name;
    int (*run)(struct cm_call *call);   /* NULL: the kernel defines the number of the command, but
                                           refuses the command with ENOSYS */
} table[] = {
    [RDMA_USER_CM_CMD_CREATE_ID] = {"CREATE_ID", create_id},
    [RDMA_USER_CM_CMD_DESTROY_ID] = {"DESTROY_ID", destroy_id},
    [RDMA_USER_CM_CMD_BIND_IP] = {"BIND_IP", bind_ip},
    [RDMA_USER_CM_CMD_RESOLVE_IP] = {"RESOLVE_IP", resolve_ip},
    [RDMA_USER_CM_CMD_RESOLVE_ROUTE] = {"RESOLVE_ROUTE", resolve_route},
    [RDMA_USER_CM_CMD_QUERY_ROUTE] = {"QUERY_ROUTE", query_of_route},
    [RDMA_USER_CM_CMD_CONNECT] = {"CONNECT", connect_id},
    [RDMA_USER_CM_CMD_LISTEN] = {"LISTEN", listen_id},
    [RDMA_USER_CM_CMD_ACCEPT] = {"ACCEPT", accept_id},
    [RDMA_USER_CM_CMD_REJECT] = {"REJECT", reject_id},
    [RDMA_USER_CM_CMD_DISCONNECT] = {"DISCONNECT", disconnect_id},
    [RDMA_USER_CM_CMD_INIT_QP_ATTR] = {"INIT_QP_ATTR", init_qp_attr},
    [RDMA_USER_CM_CMD_GET_EVENT] = {"GET_EVENT", get_event},
    [RDMA_USER_CM_CMD_GET_OPTION] = {"GET_OPTION", NULL},
    [RDMA_USER_CM_CMD_SET_OPTION] = {"SET_OPTION", set_option},
    [RDMA_USER_CM_CMD_NOTIFY] = {"NOTIFY", notify},
    [RDMA_USER_CM_CMD_JOIN_IP_MCAST] = {"JOIN_IP_MCAST", join_ip},
    [RDMA_USER_CM_CMD_LEAVE_MCAST] = {"LEAVE_MCAST", leave},
    [RDMA_USER_CM_CMD_MIGRATE_ID] = {"MIGRATE_ID", migrate_id},
    [RDMA_USER_CM_CMD_QUERY] = {"QUERY", query},
    [RDMA_USER_CM_CMD_BIND] = {"BIND", bind_addr},
    [RDMA_USER_CM_CMD_RESOLVE_ADDR] = {"RESOLVE_ADDR", resolve_addr},
    [RDMA_USER_CM_CMD_JOIN_MCAST] = {"JOIN_MCAST", join_addr},
    [CMD_RESOLVE_IB_SERVICE] = {"RESOLVE_IB_SERVICE", resolve_ib_service},
    [CMD_WRITE_CM_EVENT] = {"WRITE_CM_EVENT", write_cm_event},
};

int cm_write(struct cm_file *file, struct sim_space *space, uint64_t addr, uint64_t bytes)
{
    struct cm_call call = {.file = file, .space = space};
    struct rdma_ucm_cmd_hdr hdr;
    int err;

    if (bytes < sizeof(hdr))
        return EINVAL;
    err = sim_read(space, addr, &hdr, sizeof(hdr));
    if (err != 0)
        return err;
    if (hdr.cmd >= sizeof(table) / sizeof(table[0]) || hdr.in + sizeof(hdr) > bytes)
        return EINVAL;
    call.in = addr + sizeof(hdr);
    call.in_bytes = hdr.in;
    call.out_bytes = hdr.out;
    err = table[hdr.cmd].run == NULL ? ENOSYS : table[hdr.cmd].run(&call);
    sim_log(SIM_INFO, "rdma_cm %s: %s", table[hdr.cmd].name, err == 0 ? "ok" : strerror(err));
    return err;
}

struct cm_file *cm_open(int fd)
{
    static uint32_t next_number = 1;
    struct cm_file *file = calloc(1, sizeof(*file));

    if (file == NULL)
        return NULL;
    file->fd = fd;
    file->number = next_number++;
    file->last = &file->first;
    file->next = files;
    files = file;
    return file;
}

void cm_close(struct cm_file *file)
{
    struct cm_file **at = &files;
    struct cm_id *id;
    uint32_t handle = 0;

    while ((id = cm_id_from(handle)) != NULL) {
        handle = id->handle + 1;
        if (id->file == file)
            end_id(id);
    }
    while (*at != file)
        at = &(*at)->next;
    *at = file->next;
    free(file);
}

uint64_t cm_tick(uint64_t now)
{
    return cm_run_deadlines(now, link_expired);
}

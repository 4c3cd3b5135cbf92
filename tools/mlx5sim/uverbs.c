/* The uverbs ioctl: attributes, handles, dispatch to methods, contexts, events. */
#define _GNU_SOURCE
#include "uverbs.h"
#include "device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5-abi.h>

enum {
    DRIVER_ATTRS = 0x1000,
    HANDLE_INDEX = 0xfffff,     /* bits of a handle that are an index; the rest is a generation */
    HANDLE_SHIFT = 20,
    MMAP_UAR = 9,               /* our own command; libmlx5 passes on what UAR.ALLOC returned */
    INLINE_BYTES = 8            /* input this short is in the attribute itself */
};

/* ---- attributes ----------------------------------------------------------------------------- */

struct ib_uverbs_attr *attr_find(const struct call *call, unsigned id)
{
    unsigned i;

    for (i = 0; i < call->hdr->num_attrs; i++)
        if (call->hdr->attrs[i].attr_id == id)
            return &call->hdr->attrs[i];
    return NULL;
}

int attr_in(const struct call *call, unsigned id, void *out, size_t bytes)
{
    const struct ib_uverbs_attr *attr = attr_find(call, id);
    size_t n;

    memset(out, 0, bytes);
    if (attr == NULL)
        return ENOENT;
    n = attr->len < bytes ? attr->len : bytes;
    if (attr->len > INLINE_BYTES)
        return sim_read(call->space, attr->data, out, n);
    memcpy(out, &attr->data, n);
    return 0;
}

uint64_t attr_value(const struct call *call, unsigned id)
{
    const struct ib_uverbs_attr *attr = attr_find(call, id);

    return attr != NULL ? attr->data : 0;
}

int attr_out(const struct call *call, unsigned id, const void *data, size_t bytes)
{
    static const unsigned char zeros[1024];
    struct ib_uverbs_attr *attr = attr_find(call, id);
    size_t n, done;
    int bad;

    if (attr == NULL)
        return 0;
    n = attr->len < bytes ? attr->len : bytes;
    bad = sim_write(call->space, attr->data, data, n);
    for (done = n; bad == 0 && done < attr->len; done += n) {
        n = attr->len - done < sizeof(zeros) ? attr->len - done : sizeof(zeros);
        bad = sim_write(call->space, attr->data + done, zeros, n);
    }
    attr->flags |= UVERBS_ATTR_F_VALID_OUTPUT;
    return bad;
}

void attr_out_value(const struct call *call, unsigned id, uint64_t value)
{
    struct ib_uverbs_attr *attr = attr_find(call, id);

    if (attr == NULL)
        return;
    attr->data = value;
    attr->flags |= UVERBS_ATTR_F_VALID_OUTPUT;
}

void call_out_fd(struct call *call, uint64_t addr, int fd)
{
    unsigned i = call->reply->num_fds++;

    call->fds[i] = fd;
    call->reply->fd[i] = (struct wire_fd){.addr = addr};
}

void attr_out_fd(struct call *call, unsigned id, int fd)
{
    struct ib_uverbs_attr *attr = attr_find(call, id);

    if (attr == NULL) { /* a caller that has no place for it */
        close(fd);
        return;
    }
    call_out_fd(call, 0, fd);
    call->reply->fd[call->reply->num_fds - 1].attr = (uint32_t)(attr - call->hdr->attrs);
    attr->flags |= UVERBS_ATTR_F_VALID_OUTPUT;
}

struct uobject *attr_uobject(const struct call *call, unsigned id, enum uobject_type type)
{
    const struct ib_uverbs_attr *attr = attr_find(call, id);

    return attr != NULL ? uobject_find(call->context, (uint32_t)attr->data, type) : NULL;
}

/* ---- handles -------------------------------------------------------------------------------- */

static bool grow(struct uverbs_context *context)
{
    uint32_t len = context->table_len != 0 ? context->table_len * 2 : 64;
    struct uobject **table;
    uint32_t *generation;

    if (len > HANDLE_INDEX + 1)
        return false;
    /* analyzer: bugprone-sizeof-expression: it is an array of pointers */
    table = realloc(context->table, len * sizeof(*table));
    if (table == NULL)
        return false;
    context->table = table;
    generation = realloc(context->generation, len * sizeof(*generation));
    if (generation == NULL)
        return false;
    context->generation = generation;
    /* analyzer: bugprone-sizeof-expression: it is an array of pointers */
    memset(table + context->table_len, 0, (len - context->table_len) * sizeof(*table));
    memset(generation + context->table_len, 0, (len - context->table_len) * sizeof(*generation));
    context->table_len = len;
    return true;
}

struct uobject *uobject_new(struct uverbs_context *context, enum uobject_type type)
{
    struct uobject *uobject = calloc(1, sizeof(*uobject));
    uint32_t i, n = context->table_len;

    if (uobject == NULL)
        return NULL;
    for (i = 0; i < n && context->table[(context->next_index + i) % n] != NULL; i++)
        ;
    i = i < n ? (context->next_index + i) % n : n;
    if (i == n && !grow(context)) {
        free(uobject);
        return NULL;
    }
    context->next_index = i + 1;
    context->table[i] = uobject;
    uobject->type = type;
    uobject->handle = i | context->generation[i] << HANDLE_SHIFT;
    uobject->context = context;
    uobject->older = context->newest;
    if (context->newest != NULL)
        context->newest->newer = uobject;
    context->newest = uobject;
    return uobject;
}

void uobject_bind(struct uobject *uobject, struct hca_object *hca)
{
    uobject->hca = hca;
    hca->uobject = uobject;
}

void uobject_name(struct uobject *uobject, struct uobject *named)
{
    unsigned i;

    if (named == NULL)
        return;
    for (i = 0; uobject->names[i] != NULL; i++)
        ;
    uobject->names[i] = named;
    named->uses++;
}

struct uobject *uobject_find(struct uverbs_context *context, uint32_t handle,
                             enum uobject_type type)
{
    uint32_t i = handle & HANDLE_INDEX;
    struct uobject *uobject = i < context->table_len ? context->table[i] : NULL;

    if (uobject == NULL || uobject->handle != handle)
        return NULL;
    return type == UO_NONE || uobject->type == type ? uobject : NULL;
}

void uobject_drop(struct uobject *uobject)
{
    struct uverbs_context *context = uobject->context;
    uint32_t i = uobject->handle & HANDLE_INDEX;
    unsigned k;

    for (k = 0; k < sizeof(uobject->names) / sizeof(uobject->names[0]); k++)
        if (uobject->names[k] != NULL)
            uobject->names[k]->uses--;
    if (uobject->channel != NULL)
        channel_unuse(uobject->channel);
    if (uobject->newer != NULL)
        uobject->newer->older = uobject->older;
    else
        context->newest = uobject->older;
    if (uobject->older != NULL)
        uobject->older->newer = uobject->newer;
    if (uobject->type == UO_MR)
        sim_space_put(uobject->mr.space);
    if (uobject->type == UO_UAR)
        context->client->function->uar_owner[uobject->uar_page] = NULL;
    context->table[i] = NULL;
    context->generation[i]++;
    free(uobject);
}

int uobject_destroy(struct uobject *uobject, uint32_t read[2])
{
    int bad;

    if (uobject->uses != 0)
        return EBUSY;
    if (uobject->hca != NULL) {
        bad = hca_destroy(uobject->hca);
        if (bad != 0)
            return bad;
        devx_object_gone(uobject->hca);
    }
    channel_forget(uobject->context, uobject);
    if (read != NULL) {
        read[0] = uobject->comp_events_read;
        read[1] = uobject->events_read;
    }
    uobject_drop(uobject);
    return 0;
}

/* ---- dispatch ------------------------------------------------------------------------------- */

static const struct method *find_method(uint16_t object, uint16_t id)
{
    static const struct method *const tables[] = {object_methods, memory_methods, queue_methods,
                                                  devx_methods};
    const struct method *method;
    unsigned i;

    for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
        for (method = tables[i]; method->run != NULL; method++)
            if (method->object == object && method->method == id)
                return method;
    return NULL;
}

/* The rules every method has: attributes it must get, and mandatory ones it must know. */
static int check_attrs(const struct method *method, const struct call *call)
{
    uint64_t given = 0;
    unsigned i, id;

    for (i = 0; i < call->hdr->num_attrs; i++) {
        const struct ib_uverbs_attr *attr = &call->hdr->attrs[i];
        bool driver = attr->attr_id >= DRIVER_ATTRS;

        id = driver ? attr->attr_id - DRIVER_ATTRS : attr->attr_id;
        if (id >= (driver ? method->driver_attrs : method->core_attrs)) {
            if ((attr->flags & UVERBS_ATTR_F_MANDATORY) != 0)
                return EPROTONOSUPPORT;
            continue;
        }
        given |= 1ull << (driver ? 32 + id : id);
    }
    return (given & method->needs) == method->needs ? 0 : EINVAL;
}

static void log_call(const struct call *call, const struct method *method, int error)
{
    const struct ib_uverbs_ioctl_hdr *hdr = call->hdr;
    unsigned i;

    if (!sim_logs(SIM_INFO))
        return;
    sim_log(SIM_INFO, "process %d %s: %s (%u.%u) -> %s", (int)call->pid,
            call->client->function->name, method != NULL ? method->name : "unknown method",
            hdr->object_id, hdr->method_id, error == 0 ? "ok" : strerrorname_np(error));
    for (i = 0; i < hdr->num_attrs; i++)
        sim_log(SIM_TRACE, "    attribute 0x%x length %u flags %u data 0x%llx",
                hdr->attrs[i].attr_id, hdr->attrs[i].len, hdr->attrs[i].flags,
                (unsigned long long)hdr->attrs[i].data);
}

int uverbs_ioctl(struct call *call)
{
    const struct ib_uverbs_ioctl_hdr *hdr = call->hdr;
    const struct method *method = find_method(hdr->object_id, hdr->method_id);
    int error;

    if (hdr->reserved1 != 0 || hdr->reserved2 != 0 || method == NULL)
        error = EPROTONOSUPPORT;
    else if (call->client->function->fatal && !method->destroys)
        error = EIO;
    else
        error = check_attrs(method, call);
    if (error == 0)
        error = method->run(call);
    log_call(call, method, error);
    return error;
}

/* ---- mmap ----------------------------------------------------------------------------------- */

/* Has the context device memory there, and so many bytes of it, in whole pages? */
static bool has_dm(const struct uverbs_context *context, uint64_t bar_offset, uint64_t len)
{
    const struct uobject *dm = context->newest;

    while (dm != NULL && (dm->type != UO_DM || dm->hca == NULL || dm->dm.bar_offset != bar_offset))
        dm = dm->older;
    return dm != NULL && len <= (dm->dm.len + SIM_PAGE - 1) / SIM_PAGE * SIM_PAGE;
}

/* The page offset holds a command in bits 8..15, and an index in bits 0..7 and 16 up. */
int uverbs_mmap(struct uverbs_context *context, uint64_t offset, uint64_t len,
                struct wire_reply *reply)
{
    struct sim_function *function = context->client->function;
    uint64_t page = offset / SIM_PAGE, command = page >> 8 & 0xff;
    uint64_t index = (page & 0xff) | page >> 16 << 8;

    if (offset % SIM_PAGE != 0 || len == 0)
        return EINVAL;
    switch (command) {
    case MMAP_UAR:
        if (index >= SIM_UAR_PAGES || function->uar_owner[index] != context->client ||
            len > SIM_PAGE)
            return EINVAL;
        reply->map_kind = WIRE_MAP_UAR;
        reply->page = (uint32_t)index;
        reply->map_offset = index * SIM_PAGE;
        return 0;
    case MLX5_IB_MMAP_DEVICE_MEM:
        if (!has_dm(context, SIM_BAR_DM + index * SIM_PAGE, len))
            return EINVAL;
        reply->map_offset = SIM_BAR_DM + index * SIM_PAGE;
        return 0;
    case MLX5_IB_MMAP_CORE_CLOCK:
        if (len > SIM_PAGE)
            return EINVAL;
        reply->map_kind = machine.doorbells != SIM_DOORBELLS_POLL ? WIRE_MAP_CLOCK
                                                                  : WIRE_MAP_PLAIN;
        reply->map_offset = SIM_BAR_CLOCK;
        return 0;
    case MLX5_IB_MMAP_CLOCK_INFO:
        if (len > SIM_PAGE)
            return EINVAL;
        reply->map_offset = SIM_BAR_CLOCK_INFO;
        return 0;
    default:
        return EINVAL;
    }
}

void uverbs_clock_info(unsigned char *page)
{
    struct timespec real;
    struct mlx5_ib_clock_info info = {.mult = 1, .shift = 0, .mask = ~0ull,
                                      .overflow_period = 1ull << 62};

    clock_gettime(CLOCK_REALTIME, &real);
    info.cycles = sim_now();
    info.nsec = (uint64_t)real.tv_sec * 1000000000u + (uint64_t)real.tv_nsec;
    memcpy(page, &info, sizeof(info));
}

/* ---- contexts ------------------------------------------------------------------------------- */

struct uverbs_context *uverbs_context_new(struct sim_function *function, pid_t pid)
{
    struct uverbs_context *context = calloc(1, sizeof(*context));
    struct sim_client *client = calloc(1, sizeof(*client));

    if (context == NULL || client == NULL) {
        free(context);
        free(client);
        return NULL;
    }
    context->client = client;
    client->function = function;
    client->pid = pid;
    client->uverbs = context;
    if (hca_client_new(client) != 0) {
        free(context);
        free(client);
        return NULL;
    }
    client->next = machine.clients;
    machine.clients = client;
    sim_log(SIM_INFO, "process %d opens %s", (int)pid, function->name);
    return context;
}

/* Newest first, as the kernel does; what is refused is tried again when others have gone. */
static void destroy_all(struct uverbs_context *context)
{
    bool progress = true;

    while (context->newest != NULL && progress) {
        struct uobject *uobject = context->newest, *older;

        progress = false;
        for (; uobject != NULL; uobject = older) {
            older = uobject->older;
            progress |= uobject_destroy(uobject, NULL) == 0;
        }
    }
    while (context->newest != NULL) {
        struct uobject *uobject = context->newest;

        sim_log(SIM_ERROR, "process %d on %s: an object cannot be destroyed: type %d, number 0x%x",
                (int)context->client->pid, context->client->function->name, uobject->type,
                uobject->hca != NULL ? uobject->hca->number : 0);
        if (uobject->hca != NULL)
            uobject->hca->uobject = NULL;
        uobject_drop(uobject);
    }
}

void uverbs_context_free(struct uverbs_context *context)
{
    struct sim_client *client = context->client, **p;

    sim_log(SIM_INFO, "the context of process %d on %s ends", (int)client->pid,
            client->function->name);
    destroy_all(context);
    hca_client_gone(client);
    channel_context_gone(context);
    for (p = &machine.clients; *p != client; p = &(*p)->next)
        ;
    *p = client->next;
    free(client);
    free(context->table);
    free(context->generation);
    free(context);
}

/* ---- events --------------------------------------------------------------------------------- */

/* EQE types to the types of <infiniband/verbs.h>; -1: nothing verbs knows of. */
static int verbs_event(const struct hca_object *object, unsigned event, unsigned subtype)
{
    switch (event) {
    case SIM_EVENT_COMM_EST:
        return 4;                                       /* COMM_EST */
    case SIM_EVENT_SQ_DRAINED:
        return 5;                                       /* SQ_DRAINED */
    case SIM_EVENT_CQ_ERROR:
        return 0;                                       /* CQ_ERR */
    case SIM_EVENT_WQ_CATAS:
        return 1;                                       /* QP_FATAL */
    case SIM_EVENT_INTERNAL:
        return 8;                                       /* DEVICE_FATAL */
    case SIM_EVENT_PORT_CHANGE:
        return subtype == 4 ? 9 : 10;                   /* PORT_ACTIVE, PORT_ERR */
    case SIM_EVENT_WQ_INVALID_REQ:
        return 2;                                       /* QP_REQ_ERR */
    case SIM_EVENT_WQ_ACCESS:
        return 3;                                       /* QP_ACCESS_ERR */
    case SIM_EVENT_SRQ_CATAS:
        return 14;                                      /* SRQ_ERR */
    case SIM_EVENT_LAST_WQE:
        return 16;                                      /* QP_LAST_WQE_REACHED */
    case SIM_EVENT_SRQ_LIMIT:
        return object != NULL ? 15 : -1;                /* SRQ_LIMIT_REACHED */
    default:
        return -1;
    }
}

void uverbs_completion(struct hca_object *cq)
{
    struct uobject *uobject = cq->uobject;
    struct ib_uverbs_comp_event_desc record;

    devx_event(cq->function, cq, SIM_EVENT_COMP, 0);
    if (uobject == NULL || uobject->channel == NULL)
        return;
    record.cq_handle = uobject->user_handle;
    channel_post(uobject->channel, uobject, &record, sizeof(record));
}

void uverbs_event(struct hca_object *object, unsigned event)
{
    struct uobject *uobject = object->uobject;
    int type = verbs_event(object, event, 0);

    sim_log(SIM_INFO, "event 0x%02x of object 0x%x", event, object->number);
    devx_event(object->function, object, event, 0);
    if (uobject != NULL && uobject->type != UO_DEVX && type >= 0)
        channel_post_async(uobject->context, uobject, uobject->user_handle, (uint32_t)type);
}

void uverbs_function_event(struct sim_function *function, unsigned event, unsigned subtype)
{
    struct sim_client *client;
    int type = verbs_event(NULL, event, subtype);

    sim_log(SIM_INFO, "event 0x%02x of %s", event, function->name);
    devx_event(function, NULL, event, subtype);
    for (client = machine.clients; type >= 0 && client != NULL; client = client->next)
        if (client->function == function)
            channel_post_async(client->uverbs, NULL, 1, (uint32_t)type);
}

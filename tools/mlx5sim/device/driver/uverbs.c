/* Open devices: contexts and their mmap. */
#define _GNU_SOURCE
#include "device/driver/uverbs.h"
#include "device/driver/channel.h"
#include "device/driver/uobject.h"
#include "device/hca/operation.h"
#include "device/machine/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <rdma/mlx5-abi.h>
#include <rdma/mlx5_user_ioctl_verbs.h>

/* True when the context has device memory at `bar_offset`, of at least `len` bytes after rounding
 * up to whole pages. */
static bool has_dm(const struct uverbs_context *context, uint64_t bar_offset, uint64_t len)
{
    const struct uobject *dm = context->newest;

    while (dm != NULL && (dm->type != UO_DM || dm->hca == NULL || !dm->dm.memic ||
                          dm->dm.offset != bar_offset))
        dm = dm->older;
    return dm != NULL && len <= (dm->dm.len + SIM_PAGE - 1) / SIM_PAGE * SIM_PAGE;
}

/* Finds an operation of device memory by its index in the offset of an mmap. */
static int map_operation(const struct sim_client *client, uint64_t index, uint64_t len,
                         struct wire_reply *reply)
{
    const struct hca_operation *o = hca_operation_find((uint32_t)(index - UVERBS_OPERATION_PAGES));

    if (o == NULL || o->object.client != client ||
        len > (o->dm->len + SIM_PAGE - 1) / SIM_PAGE * SIM_PAGE)
        return EINVAL;
    reply->map_kind = WIRE_MAP_OPERATION;
    reply->page = o->object.number;
    reply->map_offset = o->dm->offset;
    return 0;
}

/* The page number in an offset has a command in bits 8 to 15, and an index in bits 0 to 7 and from
 * bit 16. */
uint64_t uverbs_mmap_offset(enum uverbs_mmap command, uint32_t index)
{
    return ((uint64_t)(index >> 8) << 16 | (uint64_t)command << 8 | (index & 0xff)) * SIM_PAGE;
}

int uverbs_mmap(struct uverbs_context *context, uint64_t offset, uint64_t len,
                struct wire_reply *reply)
{
    struct sim_function *function = context->client->function;
    uint64_t page = offset / SIM_PAGE, command = page >> 8 & 0xff;
    uint64_t index = (page & 0xff) | page >> 16 << 8;

    if (offset % SIM_PAGE != 0 || len == 0)
        return EINVAL;
    switch (command) {
    case UVERBS_MMAP_UAR:
        if (index >= SIM_UAR_PAGES || function->uar_owner[index] != context->client ||
            len > SIM_PAGE)
            return EINVAL;
        reply->map_kind = WIRE_MAP_UAR;
        reply->page = (uint32_t)index;
        reply->map_offset = index * SIM_PAGE;
        return 0;
    case UVERBS_MMAP_VAR:
        if (index >= SIM_VAR_PAGES || function->var[index].owner != context->client ||
            function->var[index].is_destroyed || len > SIM_PAGE)
            return EINVAL;
        function->var[index].was_mapped = true;
        reply->map_offset = SIM_BAR_VAR + index * SIM_PAGE;
        return 0;
    case MLX5_IB_MMAP_DEVICE_MEM:
        if (index > UVERBS_OPERATION_PAGES)
            return map_operation(context->client, index, len, reply);
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
    client->next = machine.clients;
    machine.clients = client;
    sim_log(SIM_INFO, "process %d opens %s", (int)pid, function->name);
    return context;
}

/* Destroys all objects, the newest first, as the kernel does. This is repeated while objects can be
 * destroyed, because an object stays while other objects use it. */
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

        sim_log(SIM_ERROR, "process %d on %s: cannot destroy the object of type %d, number 0x%x",
                (int)context->client->pid, context->client->function->name, uobject->type,
                uobject->hca != NULL ? uobject->hca->number : 0);
        if (uobject->hca != NULL && uobject->hca->uobject == uobject)
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
    if (context->transport_domain != NULL)
        hca_destroy(context->transport_domain);
    for (unsigned i = 0; i < SIM_VAR_PAGES; i++)
        if (client->function->var[i].owner == client)
            client->function->var[i] = (struct sim_var){ .owner = NULL };
    hca_log_leaked(client);
    channel_context_freed(context);
    for (p = &machine.clients; *p != client; p = &(*p)->next)
        ;
    *p = client->next;
    free(client);
    free(context->table);
    free(context->generation);
    free(context);
}

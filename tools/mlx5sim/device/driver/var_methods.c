/*
 * Methods of VARs: doorbell pages for queues of emulated virtio devices. The device has no such
 * queues, so a store into a page has no effect.
 */
#include "device/driver/var_methods.h"
#include "device/driver/uobject.h"
#include "device/driver/uverbs.h"

#include <errno.h>
#include <string.h>

#include <rdma/mlx5_user_ioctl_cmds.h>

static bool is_available(const struct sim_var *var, const struct sim_client *client)
{
    return var->owner == NULL || (var->owner == client && var->is_destroyed);
}

static int alloc_var(struct call *call)
{
    struct sim_function *function = call->client->function;
    const uint32_t len = SIM_PAGE;
    struct uobject *var;
    uint64_t offset;
    uint32_t page = 0;
    int err;

    while (page < SIM_VAR_PAGES && !is_available(&function->var[page], call->client))
        page++;
    if (page == SIM_VAR_PAGES)
        return ENOSPC;
    var = uobject_new(call->context, UO_VAR);
    if (var == NULL)
        return ENOMEM;
    var->var_page = page;
    function->var[page].owner = call->client;
    function->var[page].is_destroyed = false;
    memset(function->bar + SIM_BAR_VAR + (size_t)page * SIM_PAGE, 0, SIM_PAGE);
    offset = uverbs_mmap_offset(UVERBS_MMAP_VAR, page);
    attr_out_value(call, MLX5_IB_ATTR_VAR_OBJ_ALLOC_HANDLE, var->handle);
    err = attr_out(call, MLX5_IB_ATTR_VAR_OBJ_ALLOC_MMAP_OFFSET, &offset, sizeof(offset));
    err = err != 0 ? err : attr_out(call, MLX5_IB_ATTR_VAR_OBJ_ALLOC_MMAP_LENGTH, &len,
                                    sizeof(len));
    return err != 0 ? err : attr_out(call, MLX5_IB_ATTR_VAR_OBJ_ALLOC_PAGE_ID, &page,
                                     sizeof(page));
}

static int destroy_var(struct call *call)
{
    return uverbs_destroy(call, MLX5_IB_ATTR_VAR_OBJ_DESTROY_HANDLE, UO_VAR);
}

const struct method var_methods[] = {
    {MLX5_IB_OBJECT_VAR, MLX5_IB_METHOD_VAR_OBJ_ALLOC, "VAR.ALLOC", alloc_var, 0, 4,
     DRIVER(0) | DRIVER(1) | DRIVER(2) | DRIVER(3), false},
    {MLX5_IB_OBJECT_VAR, MLX5_IB_METHOD_VAR_OBJ_DESTROY, "VAR.DESTROY", destroy_var, 0, 1,
     DRIVER(0), true},
    {.run = NULL}};

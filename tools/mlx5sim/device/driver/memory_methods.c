/* Methods of memory: MR, MW, DM. */
#define _GNU_SOURCE
#include "device/driver/memory_methods.h"
#include "device/driver/checks.h"
#include "device/driver/prefetch.h"
#include "device/driver/uobject.h"
#include "device/driver/uverbs.h"
#include "device/hca/icm.h"
#include "device/hca/mkey.h"
#include "device/hca/operation.h"
#include "device/machine/fault.h"
#include "wire/prm.h"

#include <errno.h>

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <rdma/mlx5-abi.h>

/* ---- MR, DM ---------------------------------------------------------------------------------- */

static int destroy_mr(struct call *call)
{
    return uverbs_destroy(call, UVERBS_ATTR_DESTROY_MR_HANDLE, UO_MR);
}

static int destroy_mw(struct call *call)
{
    return uverbs_destroy(call, UVERBS_ATTR_DESTROY_MW_HANDLE, UO_MW);
}

static int query_mr(struct call *call)
{
    struct uobject *mr = attr_uobject(call, UVERBS_ATTR_QUERY_MR_HANDLE, UO_MR);
    int err;

    if (mr == NULL)
        return ENOENT;
    err = attr_out(call, UVERBS_ATTR_QUERY_MR_RESP_LKEY, &mr->hca->number, 4);
    err = err != 0 ? err : attr_out(call, UVERBS_ATTR_QUERY_MR_RESP_RKEY, &mr->hca->number, 4);
    err = err != 0 ? err : attr_out(call, UVERBS_ATTR_QUERY_MR_RESP_LENGTH, &mr->mr.len, 8);
    return err != 0 ? err : attr_out(call, UVERBS_ATTR_QUERY_MR_RESP_IOVA, &mr->mr.iova, 8);
}

/* Registers a range of a space: makes a uobject and a key, and writes handle and key to the
 * output. */
static int register_range(struct call *call, unsigned handle_id, unsigned lkey_id,
                          unsigned rkey_id, struct uobject *pd, struct uobject *dm,
                          const struct hca_mkey_attr *attr)
{
    struct uobject *mr = uobject_new(call->context, UO_MR);
    struct hca_object *mkey;
    int err = mr != NULL ? fault_driver_command(PRM_CREATE_MKEY) : ENOMEM;

    err = err != 0 ? err : hca_mkey_create(call->client, attr, &mkey);
    if (err != 0) {
        if (mr != NULL)
            uobject_drop(mr);
        return err;
    }
    uobject_bind(mr, mkey);
    uobject_use(mr, pd);
    uobject_use(mr, dm);
    mr->mr.space = sim_space_get(attr->space);
    mr->mr.addr = attr->addr;
    mr->mr.len = attr->len;
    mr->mr.iova = attr->iova;
    mr->mr.access = attr->access;
    attr_out_value(call, handle_id, mr->handle);
    err = attr_out(call, lkey_id, &mkey->number, 4);
    return err != 0 ? err : attr_out(call, rkey_id, &mkey->number, 4);
}

static int register_dm(struct call *call)
{
    const uint32_t allowed = IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE |
        IB_UVERBS_ACCESS_REMOTE_READ | IB_UVERBS_ACCESS_REMOTE_ATOMIC |
        IB_UVERBS_ACCESS_ZERO_BASED | IB_UVERBS_ACCESS_OPTIONAL_RANGE;
    struct uobject *pd = attr_uobject(call, UVERBS_ATTR_REG_DM_MR_PD_HANDLE, UO_PD);
    struct uobject *dm = attr_uobject(call, UVERBS_ATTR_REG_DM_MR_DM_HANDLE, UO_DM);
    uint64_t offset = attr_value(call, UVERBS_ATTR_REG_DM_MR_OFFSET);
    uint64_t len = attr_value(call, UVERBS_ATTR_REG_DM_MR_LENGTH);
    uint32_t access = (uint32_t)attr_value(call, UVERBS_ATTR_REG_DM_MR_ACCESS_FLAGS);
    struct hca_mkey_attr attr;
    int err;

    if (pd == NULL || dm == NULL)
        return ENOENT;
    if ((access & IB_UVERBS_ACCESS_ZERO_BASED) == 0 || (access & ~allowed) != 0 ||
        offset > dm->dm.len || len > dm->dm.len - offset)
        return EINVAL;
    err = uverbs_check_access(access);
    if (err != 0)
        return err;
    attr = (struct hca_mkey_attr){.pd = pd->hca, .space = dm->dm.space,
                                  .addr = dm->dm.offset + offset, .iova = 0, .len = len,
                                  .access = access};
    return register_range(call, UVERBS_ATTR_REG_DM_MR_HANDLE, UVERBS_ATTR_REG_DM_MR_RESP_LKEY,
                          UVERBS_ATTR_REG_DM_MR_RESP_RKEY, pd, dm, &attr);
}

/* Accepts any file that can be mapped shared, for example a memfd. A real kernel requires a
 * dmabuf. */
static int register_dmabuf(struct call *call)
{
    struct uobject *pd = attr_uobject(call, UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE, UO_PD);
    uint64_t offset = attr_value(call, UVERBS_ATTR_REG_DMABUF_MR_OFFSET);
    uint64_t len = attr_value(call, UVERBS_ATTR_REG_DMABUF_MR_LENGTH);
    uint64_t iova = attr_value(call, UVERBS_ATTR_REG_DMABUF_MR_IOVA);
    uint32_t access = (uint32_t)attr_value(call, UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS);
    int fd = (int)attr_value(call, UVERBS_ATTR_REG_DMABUF_MR_FD), err;
    struct sim_space *space;
    struct hca_mkey_attr attr;

    if (pd == NULL)
        return ENOENT;
    err = uverbs_check_access(access);
    if (err != 0)
        return err;
    if (offset % SIM_PAGE != iova % SIM_PAGE || len == 0)
        return EINVAL;
    space = space_of_client_file(call->space, fd, offset, len, &err);
    if (space == NULL)
        return err;
    attr = (struct hca_mkey_attr){.pd = pd->hca, .space = space, .addr = offset % SIM_PAGE,
                                  .iova = iova, .len = len, .access = access};
    err = register_range(call, UVERBS_ATTR_REG_DMABUF_MR_HANDLE,
                         UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY,
                         UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY, pd, NULL, &attr);
    sim_space_put(space);
    return err;
}

/* Allocates memory for steering that is owned by software. The kernel also demands CAP_NET_RAW and
 * CAP_SYS_RAWIO; the emulator does not. */
static int alloc_icm(struct call *call, enum icm_kind kind, uint64_t len, uint32_t log_align)
{
    const struct hca_icm *icm;
    struct hca_object *hca;
    struct uobject *dm;
    uint64_t address;
    int err;

    if (!machine.profile.ethernet)
        return EOPNOTSUPP;
    if (len == 0)
        return EINVAL;
    dm = uobject_new(call->context, UO_DM);
    err = dm != NULL ? hca_icm_create(call->client, kind, len, log_align, &hca) : ENOMEM;
    if (err != 0) {
        if (dm != NULL)
            uobject_drop(dm);
        return err;
    }
    uobject_bind(dm, hca);
    icm = (const struct hca_icm *)hca;
    dm->dm.space = icm->space;
    dm->dm.offset = icm->offset;
    dm->dm.len = icm->len;
    dm->dm.memic = false;
    address = hca_icm_address(icm);
    attr_out_value(call, UVERBS_ATTR_ALLOC_DM_HANDLE, dm->handle);
    return attr_out(call, MLX5_IB_ATTR_ALLOC_DM_RESP_START_OFFSET, &address, sizeof(address));
}

static int alloc_dm(struct call *call)
{
    uint64_t len = attr_value(call, UVERBS_ATTR_ALLOC_DM_LENGTH);
    uint32_t log_align = (uint32_t)attr_value(call, UVERBS_ATTR_ALLOC_DM_ALIGNMENT);
    const uint64_t start = 0;
    struct hca_object *hca;
    struct uobject *dm;
    uint64_t bar_offset;
    uint16_t page;
    int err;

    switch (attr_value(call, MLX5_IB_ATTR_ALLOC_DM_REQ_TYPE)) {
    case MLX5_IB_UAPI_DM_TYPE_MEMIC:
        break;
    case MLX5_IB_UAPI_DM_TYPE_STEERING_SW_ICM:
        return alloc_icm(call, ICM_STEERING, len, log_align);
    case MLX5_IB_UAPI_DM_TYPE_HEADER_MODIFY_SW_ICM:
        return alloc_icm(call, ICM_MODIFY, len, log_align);
    default:
        return EOPNOTSUPP;
    }
    if (len == 0 || len > SIM_DM_BYTES || log_align > 12)
        return EINVAL;
    dm = uobject_new(call->context, UO_DM);
    err = dm != NULL ? fault_driver_command(PRM_ALLOC_MEMIC) : ENOMEM;
    err = err != 0 ? err : hca_dm_create(call->client, len, log_align, &bar_offset, &hca);
    if (err != 0) {
        if (dm != NULL)
            uobject_drop(dm);
        return err;
    }
    uobject_bind(dm, hca);
    dm->dm.space = call->client->function->bar_space;
    dm->dm.offset = bar_offset;
    dm->dm.len = len;
    dm->dm.memic = true;
    page = (uint16_t)((bar_offset - SIM_BAR_DM) / SIM_PAGE);
    attr_out_value(call, UVERBS_ATTR_ALLOC_DM_HANDLE, dm->handle);
    err = attr_out(call, MLX5_IB_ATTR_ALLOC_DM_RESP_START_OFFSET, &start, sizeof(start));
    return err != 0 ? err : attr_out(call, MLX5_IB_ATTR_ALLOC_DM_RESP_PAGE_INDEX, &page,
                                     sizeof(page));
}

/* Maps an operation. Assumed: memory for steering entries has no operations. */
static int map_operation(struct call *call)
{
    struct uobject *dm = attr_uobject(call, MLX5_IB_ATTR_DM_MAP_OP_ADDR_REQ_HANDLE, UO_DM);
    const struct ib_uverbs_attr *op_attr = attr_find(call, MLX5_IB_ATTR_DM_MAP_OP_ADDR_REQ_OP);
    const uint64_t start = 0;
    struct hca_operation *operation;
    struct hca_dm *memory;
    uint16_t page;
    uint8_t op = 0;
    int err;

    if (dm == NULL)
        return ENOENT;
    if (op_attr == NULL || op_attr->len < sizeof(op))
        return EINVAL;
    err = attr_in(call, MLX5_IB_ATTR_DM_MAP_OP_ADDR_REQ_OP, &op, sizeof(op));
    if (err != 0)
        return err;
    if (!dm->dm.memic || op >= 32 || (OPERATION_CAPS >> op & 1) == 0)
        return EOPNOTSUPP;
    memory = (struct hca_dm *)dm->hca;
    err = memory->operations[op] == NULL ? fault_driver_command(PRM_MODIFY_MEMIC) : 0;
    err = err != 0 ? err : hca_operation_get(memory, (enum hca_dm_operation)op, &operation);
    if (err != 0)
        return err;
    page = (uint16_t)(UVERBS_OPERATION_PAGES + operation->object.number);
    err = attr_out(call, MLX5_IB_ATTR_DM_MAP_OP_ADDR_RESP_START_OFFSET, &start, sizeof(start));
    return err != 0 ? err : attr_out(call, MLX5_IB_ATTR_DM_MAP_OP_ADDR_RESP_PAGE_INDEX, &page,
                                     sizeof(page));
}

static int free_dm(struct call *call)
{
    return uverbs_destroy(call, UVERBS_ATTR_FREE_DM_HANDLE, UO_DM);
}

static int query_dm(struct call *call)
{
    struct uobject *dm = attr_uobject(call, MLX5_IB_ATTR_QUERY_DM_REQ_HANDLE, UO_DM);
    const uint64_t start = 0;
    uint16_t page;
    int err;

    if (dm == NULL)
        return ENOENT;
    if (!dm->dm.memic)
        return EOPNOTSUPP;
    page = (uint16_t)((dm->dm.offset - SIM_BAR_DM) / SIM_PAGE);
    err = attr_out(call, MLX5_IB_ATTR_QUERY_DM_RESP_START_OFFSET, &start, sizeof(start));
    err = err != 0 ? err : attr_out(call, MLX5_IB_ATTR_QUERY_DM_RESP_PAGE_INDEX, &page,
                                    sizeof(page));
    return err != 0 ? err : attr_out(call, MLX5_IB_ATTR_QUERY_DM_RESP_LENGTH, &dm->dm.len,
                                     sizeof(dm->dm.len));
}

/* ---- table ---------------------------------------------------------------------------------- */

const struct method memory_methods[] = {
    {UVERBS_OBJECT_MR, UVERBS_METHOD_MR_DESTROY, "MR.DESTROY", destroy_mr, 1, 0, CORE(0), true},
    {UVERBS_OBJECT_MW, UVERBS_METHOD_MW_DESTROY, "MW.DESTROY", destroy_mw, 1, 0, CORE(0), true},
    {UVERBS_OBJECT_MR, UVERBS_METHOD_QUERY_MR, "MR.QUERY", query_mr, 5, 0, CORE(0), false},
    {UVERBS_OBJECT_MR, UVERBS_METHOD_ADVISE_MR, "MR.ADVISE_MR", advise_mr, 4, 0, 0xf, false},
    {UVERBS_OBJECT_MR, UVERBS_METHOD_DM_MR_REG, "MR.DM_MR_REG", register_dm, 8, 0, 0xff, false},
    {UVERBS_OBJECT_MR, UVERBS_METHOD_REG_DMABUF_MR, "MR.REG_DMABUF_MR", register_dmabuf, 9, 0,
     0x1ff, false},
    {UVERBS_OBJECT_DM, UVERBS_METHOD_DM_ALLOC, "DM.ALLOC", alloc_dm, 3, 3, 7, false},
    {UVERBS_OBJECT_DM, UVERBS_METHOD_DM_FREE, "DM.FREE", free_dm, 1, 0, CORE(0), true},
    {UVERBS_OBJECT_DM, MLX5_IB_METHOD_DM_MAP_OP_ADDR, "DM.MAP_OP_ADDR", map_operation, 0, 4,
     DRIVER(0) | DRIVER(1) | DRIVER(2), false},
    {UVERBS_OBJECT_DM, MLX5_IB_METHOD_DM_QUERY, "DM.QUERY", query_dm, 0, 4, DRIVER(0), false},
    {.run = NULL}};

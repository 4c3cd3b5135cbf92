/*
 * ibv_advise_mr(): prefetches the memory of regions with on-demand paging.
 *
 * The device always finds the current pages of a process, so a prefetch changes only which pages
 * the process has in memory. All advice is executed before the call returns. The flag FLUSH decides
 * only whether the program gets the error of a page that is not mapped.
 */
#include "device/driver/prefetch.h"
#include "device/driver/checks.h"
#include "device/driver/uobject.h"
#include "device/hca/odp.h"

#include <errno.h>

#include <rdma/ib_user_ioctl_cmds.h>

enum {
    MAX_LIST = UINT16_MAX / sizeof(struct ib_uverbs_sge),
    /* of one call. More would hold up other programs. */
    MAX_BYTES = 256 << 20,
    MAX_NS = 200000000          /* to find many entries among many mappings takes long */
};

struct advice {
    const struct call *call;
    const struct hca_object *pd;
    uint64_t kind;              /* IB_UVERBS_ADVISE_MR_ADVICE_* */
    uint64_t left;              /* bytes that may still be prefetched; the rest is ignored */
    uint64_t end;               /* ns; after this time nothing is prefetched */
};

static bool is_writable(uint32_t access)
{
    return (access & (IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE |
                      IB_UVERBS_ACCESS_REMOTE_ATOMIC | IB_UVERBS_ACCESS_MW_BIND)) != 0;
}

/* Finds the region of a key. Only keys of regions on demand, windows and indirect keys are known
 * here; the latter two are no regions. */
static int find_region(const struct advice *advice, uint32_t key, const struct uobject **region)
{
    const struct hca_mkey *mkey = hca_mkey_find(advice->call->client->function, key);

    if (mkey == NULL || mkey->kind == MKEY_NULL || mkey->kind == MKEY_ALIAS ||
        (mkey->kind == MKEY_DIRECT && !mkey->on_demand))
        return ENOENT;
    if (mkey->kind != MKEY_DIRECT)
        return EINVAL;
    *region = mkey->object.uobject;
    if (&mkey->pd->object != advice->pd ||
        (advice->kind == IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_WRITE &&
         !is_writable((*region)->mr.access)))
        return EPERM;
    return 0;
}

/* Finds the memory of a list entry. Assumed from the kernel: the range may end anywhere in the last
 * page of the region. */
static int find_memory(const struct uobject *region, const struct ib_uverbs_sge *entry,
                       uint64_t *addr)
{
    uint64_t end = region->mr.addr + region->mr.len;

    if (region->mr.len == UINT64_MAX)
        end = 1ull << ODP_IMPLICIT_END;
    end = (end + SIM_PAGE - 1) / SIM_PAGE * SIM_PAGE;
    *addr = entry->addr - region->mr.iova + region->mr.addr;
    if (entry->addr < region->mr.iova || *addr < region->mr.addr || *addr >= end ||
        end - *addr < entry->length)
        return EFAULT;
    return sim_has_ended(region->mr.space) ? EINVAL : 0;
}

static int prefetch(struct advice *advice, const struct ib_uverbs_sge *entry)
{
    bool write = advice->kind == IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_WRITE;
    uint64_t addr = 0, len = entry->length;
    const struct uobject *region = NULL;
    int err = find_region(advice, entry->lkey, &region);

    err = err != 0 ? err : find_memory(region, entry, &addr);
    len = len < advice->left ? len : advice->left;
    if (err != 0 || len == 0 || advice->kind == IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT ||
        sim_now() > advice->end)
        return err;
    err = uverbs_check_process(region->mr.space->pid, addr, len, write);
    if (err != 0 && write && uverbs_check_process(region->mr.space->pid, addr, len, false) == 0)
        err = EPERM;
    sim_touch(region->mr.space, addr, len, write);
    advice->left -= len;
    return err;
}

/* Executes an advice that does not wait for its end: only wrong keys are reported, and before any
 * page is brought into memory. */
static int prefetch_later(struct advice *advice, const struct ib_uverbs_sge *list, uint32_t num)
{
    const struct uobject *region;
    int err = 0;

    for (uint32_t i = 0; i < num && err == 0; i++)
        err = find_region(advice, list[i].lkey, &region);
    for (uint32_t i = 0; i < num && err == 0; i++)
        (void)prefetch(advice, &list[i]);
    return err;
}

int advise_mr(struct call *call)
{
    static struct ib_uverbs_sge list[MAX_LIST];
    const struct ib_uverbs_attr *attr = attr_find(call, UVERBS_ATTR_ADVISE_MR_SGE_LIST);
    const struct uobject *pd = attr_uobject(call, UVERBS_ATTR_ADVISE_MR_PD_HANDLE, UO_PD);
    uint64_t flags = attr_value(call, UVERBS_ATTR_ADVISE_MR_FLAGS);
    struct advice advice = {.call = call, .left = MAX_BYTES, .end = sim_now() + MAX_NS,
                            .kind = attr_value(call, UVERBS_ATTR_ADVISE_MR_ADVICE)};
    uint32_t num = attr->len / sizeof(list[0]);
    int err;

    if (pd == NULL)
        return ENOENT;
    if ((flags & ~(uint64_t)IB_UVERBS_ADVISE_MR_FLAG_FLUSH) != 0 || num == 0 ||
        attr->len % sizeof(list[0]) != 0)
        return EINVAL;
    err = attr_in(call, UVERBS_ATTR_ADVISE_MR_SGE_LIST, list, attr->len);
    if (err != 0)
        return err;
    if (advice.kind > IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT)
        return EOPNOTSUPP;
    advice.pd = pd->hca;
    if ((flags & IB_UVERBS_ADVISE_MR_FLAG_FLUSH) == 0)
        return prefetch_later(&advice, list, num);
    for (uint32_t i = 0; i < num && err == 0; i++)
        err = prefetch(&advice, &list[i]);
    return err;
}

/* ---- >>mlx5.mkey ----------------------------------------------------------------------------
 * Memory registration. Each registration is a block of the device's arena, linked into one of the
 * device's hash lists.                                                                          */
#include "mlx5/mkey_priv.h"

#include "mlx5/api.h"
#include "mlx5/device_priv.h"
#include "mlx5/find_priv.h"
#include "mlx5/platform_priv.h"
#include "mlx5/sys.h"

/* Convert DOCA permissions to access flags of verbs. Verbs require local write access for remote
 * writes and atomics, so it is included. Relaxed ordering is optional: devices without it ignore
 * the flag. */
DOCA_PRIV_DECL unsigned doca_priv_mlx5_access(uint32_t access)
{
    static const struct {
        uint32_t doca;
        unsigned verbs;
    } rows[] = {
        { DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, IBV_ACCESS_LOCAL_WRITE },
        { DOCA_ACCESS_FLAG_RDMA_READ, IBV_ACCESS_REMOTE_READ },
        { DOCA_ACCESS_FLAG_RDMA_WRITE, IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_LOCAL_WRITE },
        { DOCA_ACCESS_FLAG_RDMA_ATOMIC, IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_LOCAL_WRITE },
        { DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING, IBV_ACCESS_RELAXED_ORDERING },
    };
    unsigned verbs = 0;
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if ((access & rows[i].doca) != 0)
            verbs |= rows[i].verbs;
    return verbs;
}

static struct ibv_mr *doca_priv_mlx5_reg_mr(const struct doca_priv_mlx5_dev *d,
                                            const struct doca_core_range *range, unsigned access)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;

    errno = 0;
    return range->dmabuf_fd < 0
               ? sys->reg_mr(d->pd, range->addr, range->len, access)
               : sys->reg_dmabuf_mr(d->pd, range->dmabuf_offset, range->len,
                                    (uint64_t)(uintptr_t)range->addr, range->dmabuf_fd, access);
}

/* Return the mkey of a registration or of an import. */
static uint32_t doca_priv_mlx5_reg_mkey(const struct doca_priv_mlx5_reg *reg)
{
    return reg->mr != NULL ? reg->mr->lkey : reg->key;
}

/* Link a registration or an import into the hash list for its mkey. */
DOCA_PRIV_DECL void doca_priv_mlx5_reg_add(struct doca_priv_mlx5_dev *d,
                                           struct doca_priv_mlx5_reg *reg)
{
    const uint32_t number = doca_priv_mlx5_reg_mkey(reg) >> 8;
    struct doca_priv_mlx5_reg **list = &d->regs[number % DOCA_PRIV_MLX5_NUM_LISTS];

    doca_priv_mlx5_lock(&d->lock);
    reg->next = *list;
    *list = reg;
    doca_priv_mlx5_unlock(&d->lock);
}

/* Find a registration, or an import if `is_import` is set, by its mkey. Returns NULL when it does
 * not exist. `remove`: also remove it from its list. */
DOCA_PRIV_DECL struct doca_priv_mlx5_reg *
doca_priv_mlx5_reg_find(struct doca_priv_mlx5_dev *d, uint32_t mkey, bool is_import, bool remove)
{
    struct doca_priv_mlx5_reg **link = &d->regs[(mkey >> 8) % DOCA_PRIV_MLX5_NUM_LISTS], *reg;

    doca_priv_mlx5_lock(&d->lock);
    while (*link != NULL &&
           (doca_priv_mlx5_reg_mkey(*link) != mkey || ((*link)->mr == NULL) != is_import))
        link = &(*link)->next;
    reg = *link;
    if (reg != NULL && remove)
        *link = reg->next;
    doca_priv_mlx5_unlock(&d->lock);
    return reg;
}

/* Allocate a block from the device's arena. `function`: name of the public call that needs it, for
 * the log. */
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_arena_alloc(const struct doca_dev *dev, size_t bytes,
                                                       const char *function, void **block)
{
    doca_error_t rc = doca_core_arena_take(dev->info.arena, bytes, block);

    return rc == DOCA_SUCCESS ? rc
                              : doca_core_backend_fail(rc, DOCA_CORE_ITEM_ARENA_EXHAUSTED, function,
                                                       dev->info.arena, 0);
}

/* Report a refused registration; errno holds the reason. `is_write_mr`: the second registration,
 * for writes by queue pairs, was refused. After EFAULT the core first checks whether the CPU can
 * access the range; if it cannot, the core reports the page. */
static doca_error_t doca_priv_mlx5_reg_refused(struct doca_dev *dev,
                                               const struct doca_core_range *range,
                                               bool is_write_mr)
{
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();
    const int error = errno;
    doca_error_t rc =
        error == EFAULT ? doca_core_backend_probe(range, "doca_mmap_start") : DOCA_SUCCESS;

    if (rc != DOCA_SUCCESS)
        return rc;
    why.step = range->dmabuf_fd >= 0 ? DOCA_PRIV_MLX5_TEXT("register the dmabuf")
               : is_write_mr ? DOCA_PRIV_MLX5_TEXT("register the memory for writes by the device")
                        : DOCA_PRIV_MLX5_TEXT("register the memory");
    why.hint = doca_priv_mlx5_memory_hint(error, range->dmabuf_fd >= 0);
    errno = error;
    return doca_priv_mlx5_report("doca_mmap_start", dev, &why);
}

/* Register a range. *internal_mkey receives the key that queue pairs write with. */
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_reg_range(struct doca_dev *dev,
                                                     const struct doca_core_range *range,
                                                     uint32_t *mkey, uint32_t *internal_mkey)
{
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    bool wants_write_mr = (d->card->engine == DOCA_CORE_MLX5_ENGINE_RC ||
                           d->card->engine == DOCA_CORE_MLX5_ENGINE_VERBS) &&
                     (range->access & DOCA_ACCESS_FLAG_LOCAL_READ_WRITE) != 0;
    const uint32_t relaxed = range->access & DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING;
    struct doca_priv_mlx5_reg *reg;
    void *block = NULL;
    doca_error_t rc = doca_priv_mlx5_arena_alloc(dev, sizeof(*reg), "doca_mmap_start", &block);

    if (rc != DOCA_SUCCESS)
        return rc;
    reg = (struct doca_priv_mlx5_reg *)block;
    memset(reg, 0, sizeof(*reg));
    reg->mr = doca_priv_mlx5_reg_mr(d, range, doca_priv_mlx5_access(range->access));
    if (reg->mr != NULL && wants_write_mr)
        reg->write_mr = doca_priv_mlx5_reg_mr(
            d, range, doca_priv_mlx5_access(DOCA_ACCESS_FLAG_RDMA_WRITE | relaxed));
    if (reg->mr == NULL || (wants_write_mr && reg->write_mr == NULL)) {
        rc = doca_priv_mlx5_reg_refused(dev, range, reg->mr != NULL);
        if (reg->mr != NULL)
            (void)doca_priv_mlx5.sys->dereg_mr(reg->mr);
        (void)doca_core_arena_give(dev->info.arena, reg);
        return rc;
    }
    reg->access = (uint16_t)range->access;
    *mkey = reg->mr->lkey;
    *internal_mkey = reg->write_mr != NULL ? reg->write_mr->rkey : reg->mr->lkey;
    doca_priv_mlx5_reg_add(d, reg);
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL void doca_priv_mlx5_dereg(struct doca_dev *dev, uint32_t mkey)
{
    struct doca_priv_mlx5_reg *reg =
        doca_priv_mlx5_reg_find(doca_priv_mlx5_dev_of(dev), mkey, false, true);
    int error = 0;

    if (reg == NULL)
        return;
    if (reg->write_mr != NULL)
        error = doca_priv_mlx5.sys->dereg_mr(reg->write_mr);
    doca_priv_mlx5_keep_first(&error, doca_priv_mlx5.sys->dereg_mr(reg->mr));
    doca_priv_mlx5_log_leak(error, DOCA_CORE_ITEM_MLX5_KEPT, "doca_mmap_stop",
                            DOCA_PRIV_MLX5_TEXT("deregister the memory"));
    (void)doca_core_arena_give(dev->info.arena, reg);
}

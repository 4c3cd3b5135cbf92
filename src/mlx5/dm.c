/* ---- >>mlx5.dm ------------------------------------------------------------------------------
 * Memory on the NIC.
 * The keys of this memory address it from 0. The addresses of mmaps and buffers begin one cache
 * line later, so that no buffer has the address NULL. (It is assumed that the DMA engine uses such
 * keys in the same way as RDMA does.) The firmware registers whole units of 64 bytes, and libmlx5
 * copies whole words; the functions of this part accept any range of bytes.                     */
#include "mlx5/dm_priv.h"

#include "mlx5/device_priv.h"
#include "mlx5/find_priv.h"
#include "mlx5/mkey_priv.h"
#include "mlx5/platform_priv.h"
#include "mlx5/sys.h"

#define DOCA_PRIV_MLX5_DM_BEGIN DOCA_CORE_LINE
/* Device memory is allocated and registered in units of this many bytes. */
#define DOCA_PRIV_MLX5_DM_UNIT ((size_t)64)
#define DOCA_PRIV_MLX5_DM_WORD ((size_t)4)  /* bytes; the CPU reads and writes whole words */

/* Return the number of bytes to allocate and register for an mmap of `len` bytes; 0 on overflow. */
DOCA_PRIV_DECL size_t doca_priv_mlx5_dm_bytes(size_t len)
{
    const size_t more = DOCA_PRIV_MLX5_DM_BEGIN + DOCA_PRIV_MLX5_DM_UNIT - 1;

    return len > SIZE_MAX - more ? 0
                                 : (len + more) / DOCA_PRIV_MLX5_DM_UNIT * DOCA_PRIV_MLX5_DM_UNIT;
}

/* Release the registrations and the memory, as far as they were created. */
static void doca_priv_mlx5_dm_release(const struct doca_priv_mlx5_dm *dm)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    int error = 0;

    if (dm->write_mr != NULL)
        error = sys->dereg_mr(dm->write_mr);
    if (dm->mr != NULL)
        doca_priv_mlx5_keep_first(&error, sys->dereg_mr(dm->mr));
    if (dm->dm != NULL)
        doca_priv_mlx5_keep_first(&error, sys->free_dm(dm->dm));
    doca_priv_mlx5_log_leak(error, DOCA_CORE_ITEM_MLX5_KEPT, "doca_mmap_destroy",
                            DOCA_PRIV_MLX5_TEXT("free the device's memory"));
}

/* Return the device memory with this mkey, or NULL. `remove`: also remove it from the list. */
DOCA_PRIV_DECL struct doca_priv_mlx5_dm *doca_priv_mlx5_dm_find(struct doca_priv_mlx5_dev *d,
                                                                uint32_t mkey, bool remove)
{
    struct doca_priv_mlx5_dm **link = &d->dms, *dm;

    doca_priv_mlx5_lock(&d->lock);
    while (*link != NULL && (*link)->mr->lkey != mkey)
        link = &(*link)->next;
    dm = *link;
    if (dm != NULL && remove)
        *link = dm->next;
    doca_priv_mlx5_unlock(&d->lock);
    return dm;
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_dm_alloc(struct doca_dev *dev, size_t len, void **addr,
                                                    uint32_t *mkey, uint32_t *internal_mkey)
{
    const unsigned access = IBV_ACCESS_ZERO_BASED | IBV_ACCESS_LOCAL_WRITE;
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    const size_t bytes = doca_priv_mlx5_dm_bytes(len);
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();
    struct doca_priv_mlx5_dm *dm;
    void *block = NULL;
    doca_error_t rc;

    if (bytes == 0)
        return DOCA_ERROR_NO_MEMORY;
    rc = doca_priv_mlx5_arena_alloc(dev, sizeof(*dm), "doca_core_mmap_create_on_dev", &block);
    if (rc != DOCA_SUCCESS)
        return rc;
    dm = (struct doca_priv_mlx5_dm *)block;
    memset(dm, 0, sizeof(*dm));
    errno = 0;
    dm->dm = sys->alloc_dm(d->context, bytes);
    if (dm->dm == NULL && errno == EINVAL)
        errno = ENOMEM; /* the request exceeds the device's total memory */
    if (dm->dm != NULL)
        dm->mr = sys->reg_dm_mr(d->pd, dm->dm, bytes, access);
    if (dm->mr != NULL)
        dm->write_mr = sys->reg_dm_mr(d->pd, dm->dm, bytes, access | IBV_ACCESS_REMOTE_WRITE);
    if (dm->write_mr == NULL) {
        why.step = dm->dm == NULL ? DOCA_PRIV_MLX5_TEXT("allocate memory of the device")
                                  : DOCA_PRIV_MLX5_TEXT("register memory of the device");
        if (dm->dm == NULL && errno == ENOMEM)
            why.hint = DOCA_PRIV_MLX5_TEXT("the device has not enough memory left (ibv_devinfo -v: "
                                           "max_dm_size)");
        rc = doca_priv_mlx5_report("doca_core_mmap_create_on_dev", dev, &why);
        doca_priv_mlx5_dm_release(dm);
        (void)doca_core_arena_give(dev->info.arena, dm);
        return rc;
    }
    *addr = (void *)(uintptr_t)DOCA_PRIV_MLX5_DM_BEGIN;
    /* analyzer: core.NullDereference: dm->write_mr is not NULL, hence dm->mr is not NULL either */
    *mkey = dm->mr->lkey;
    *internal_mkey = dm->write_mr->rkey;
    doca_priv_mlx5_lock(&d->lock);
    dm->next = d->dms;
    d->dms = dm;
    doca_priv_mlx5_unlock(&d->lock);
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL void doca_priv_mlx5_dm_free(struct doca_dev *dev, uint32_t mkey)
{
    struct doca_priv_mlx5_dm *dm = doca_priv_mlx5_dm_find(doca_priv_mlx5_dev_of(dev), mkey, true);

    if (dm == NULL)
        return;
    doca_priv_mlx5_dm_release(dm);
    (void)doca_core_arena_give(dev->info.arena, dm);
}

/* Copy `len` bytes that lie within one word of the device. A write reads the word first; the lock
 * keeps other threads of the process from writing the word in between. Return 0 or an errno. */
static int doca_priv_mlx5_dm_copy_part(struct doca_priv_mlx5_dev *d, struct ibv_dm *dm,
                                       uint64_t offset, unsigned char *bytes, size_t len,
                                       bool is_write)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    const size_t in_word = (size_t)(offset % DOCA_PRIV_MLX5_DM_WORD);
    unsigned char word[DOCA_PRIV_MLX5_DM_WORD];
    int error;

    offset -= in_word;
    doca_priv_mlx5_lock(&d->lock);
    error = sys->memcpy_from_dm(word, dm, offset, sizeof(word));
    if (error == 0 && is_write) {
        memcpy(word + in_word, bytes, len);
        error = sys->memcpy_to_dm(dm, offset, word, sizeof(word));
    }
    doca_priv_mlx5_unlock(&d->lock);
    if (error == 0 && !is_write)
        memcpy(bytes, word + in_word, len);
    return error;
}

/* Copy `len` bytes at `offset` in three steps: a part of the first word, whole words, and a part of
 * the last word. Each step may be absent. Return 0 or an errno. */
static int doca_priv_mlx5_dm_copy_at(struct doca_priv_mlx5_dev *d, struct ibv_dm *dm,
                                     uint64_t offset, unsigned char *bytes, size_t len,
                                     bool is_write)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    size_t num = (size_t)(0 - offset) % DOCA_PRIV_MLX5_DM_WORD;
    int error = 0;

    num = num < len ? num : len;
    if (num > 0)
        error = doca_priv_mlx5_dm_copy_part(d, dm, offset, bytes, num, is_write);
    offset += num;
    bytes += num;
    len -= num;
    num = len / DOCA_PRIV_MLX5_DM_WORD * DOCA_PRIV_MLX5_DM_WORD;
    if (error == 0 && num > 0)
        error = is_write ? sys->memcpy_to_dm(dm, offset, bytes, num)
                         : sys->memcpy_from_dm(bytes, dm, offset, num);
    if (error == 0 && len > num)
        error = doca_priv_mlx5_dm_copy_part(d, dm, offset + num, bytes + num, len - num, is_write);
    return error;
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_dm_copy(struct doca_dev *dev, uint32_t mkey,
                                                   size_t offset, void *bytes, size_t len,
                                                   bool is_write)
{
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    struct doca_priv_mlx5_dm *dm = doca_priv_mlx5_dm_find(d, mkey, false);

    if (dm == NULL)
        return DOCA_ERROR_NOT_FOUND;
    errno = doca_priv_mlx5_dm_copy_at(d, dm->dm, offset + DOCA_PRIV_MLX5_DM_BEGIN,
                                      (unsigned char *)bytes, len, is_write);
    return errno == 0 ? DOCA_SUCCESS
                      : doca_priv_mlx5_report_step(
                            is_write ? "doca_core_mmap_write" : "doca_core_mmap_read", dev,
                            DOCA_PRIV_MLX5_TEXT("copy to or from memory of the device"));
}

/* ---- >>impl.mmap_rep -------------------------------------------------------------------------
 * Mmaps of the memory of other machines. A backend either reads such memory through a memory key,
 * or names a file, and the operating system reads the file.                                     */
#include "memory/mmap_rep_priv.h"

#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/share_priv.h"
#include "base/system_priv.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/check.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "device/device_priv.h"
#include "device/rep.h"
#include "memory/mmap.h"
#include "memory/mmap_priv.h"
#include "memory/mmap_rep.h"

/* Return the region that contains the byte at `addr`, or NULL. */
static const struct doca_core_region *doca_priv_rep_mem_find(const struct doca_core_rep_mem *mem,
                                                             uint64_t addr)
{
    uint32_t i;

    for (i = 0; i < mem->num_regions; i++)
        if (addr >= mem->regions[i].addr && addr - mem->regions[i].addr < mem->regions[i].len)
            return &mem->regions[i];
    return NULL;
}

/* Read `num` pieces from the file: remote[i] into local[i], which must have the same length. The
 * addresses in `remote` are addresses of buffers: `mem->base` plus a physical address. Return NONE,
 * or the log item for the reason why a piece cannot be read. */
DOCA_PRIV_DECL enum doca_core_item doca_priv_rep_mem_read(const struct doca_core_rep_mem *mem,
                                                          const struct doca_priv_iovec *local,
                                                          const struct doca_priv_iovec *remote,
                                                          unsigned num)
{
    const struct doca_core_region *region;
    size_t done, n;
    uint64_t at;
    unsigned i;

    for (i = 0; i < num; i++) {
        for (done = 0; done < local[i].bytes; done += n) {
            at = (uintptr_t)remote[i].base - (uintptr_t)mem->base + done;
            region = doca_priv_rep_mem_find(mem, at);
            if (region == NULL)
                return DOCA_CORE_ITEM_REP_OUTSIDE;
            at -= region->addr;
            n = local[i].bytes - done;
            n = n < region->len - at ? n : (size_t)(region->len - at);
            if (!doca_priv_sys_file_read(mem->fd, region->offset + at,
                                         (unsigned char *)local[i].base + done, n))
                return DOCA_CORE_ITEM_REP_READ;
        }
    }
    return DOCA_CORE_ITEM_NONE;
}

/* Return the description of the memory of an mmap with is_rep. */
static struct doca_core_rep_mem *doca_priv_rep_mem_of(const struct doca_mmap *mmap)
{
    return (struct doca_core_rep_mem *)(uintptr_t)(mmap + 1);
}

/* End the mapping of the file, and close it. */
static void doca_priv_rep_mem_close(const struct doca_core_rep_mem *mem)
{
    if (mem->view != NULL)
        doca_priv_sys_dmabuf_unmap((unsigned char *)(uintptr_t)mem->view, mem->view_bytes);
    doca_priv_sys_close(mem->fd);
}

/* Release the memory of another machine, for an mmap that is being destroyed. */
DOCA_PRIV_DECL void doca_priv_rep_mem_end(const struct doca_mmap *mmap)
{
    if (mmap->far != NULL)
        doca_priv_rep_mem_close(doca_priv_rep_mem_of(mmap));
    else
        mmap->devs[0].dev->backend->rep_mem_close(mmap->devs[0].dev, mmap->devs[0].mkey,
                                                  mmap->devs[0].internal_mkey);
}

#ifndef DOCA_CORE_NO_REP

/* True when the regions are sorted, do not overlap, and can all be addressed by buffers. */
static bool doca_priv_rep_mem_is_sound(const struct doca_core_rep_mem *mem)
{
    const uint64_t room = UINTPTR_MAX - (uintptr_t)mem->base;
    uint64_t end = 0;
    uint32_t i;

    if (mem->base == NULL || mem->num_regions == 0 || mem->num_regions > DOCA_CORE_REP_REGIONS)
        return false;
    for (i = 0; i < mem->num_regions; i++) {
        if (mem->regions[i].len == 0 || mem->regions[i].addr < end ||
            mem->regions[i].addr > room || mem->regions[i].len > room - mem->regions[i].addr)
            return false;
        end = mem->regions[i].addr + mem->regions[i].len;
    }
    return true;
}

/* Take the blocks of an mmap of the memory of another machine. */
static doca_error_t doca_priv_rep_mem_carve(struct doca_core_arena *arena, void **map, void **far,
                                            const char *function)
{
    doca_error_t rc = doca_priv_object_take(
        arena, sizeof(struct doca_mmap) + sizeof(struct doca_core_rep_mem), map, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_object_take(arena, sizeof(struct doca_priv_far), far, function);
    if (rc != DOCA_SUCCESS)
        (void)doca_core_arena_give(arena, *map);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_rep(size_t *bytes)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, __func__);
    void *map, *far;

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_rep_mem_carve(&count, &map, &far, __func__);
    return doca_priv_counted(&count, rc, bytes, __func__);
}

/* Map the file, if loads from it are safe. */
static void doca_priv_rep_mem_map(struct doca_core_rep_mem *mem)
{
    uint64_t end = 0;
    uint32_t i;

    for (i = 0; i < mem->num_regions; i++)
        if (mem->regions[i].offset + mem->regions[i].len > end)
            end = mem->regions[i].offset + mem->regions[i].len;
    mem->view_bytes = (size_t)end;
    mem->view = mem->view_bytes == end ? doca_priv_sys_file_map(mem->fd, mem->view_bytes) : NULL;
}

/* Set up an mmap for the memory that `mem` describes. `far` is a block of zeros; the mmap keeps it
 * if the operating system reads the memory. */
static void doca_priv_rep_mem_attach(struct doca_mmap *m, struct doca_dev *dev,
                                     const struct doca_core_rep_mem *mem, struct doca_priv_far *far)
{
    const struct doca_core_region *last = &mem->regions[mem->num_regions - 1];

    *doca_priv_rep_mem_of(m) = *mem;
    doca_priv_mmap_set_range(m, mem->base, (size_t)(last->addr + last->len));
    m->access = DOCA_ACCESS_FLAG_LOCAL_READ_ONLY;
    m->devs[0].dev = dev;
    m->devs[0].mkey = mem->mkey;
    m->devs[0].internal_mkey = mem->internal_mkey;
    m->num_devs = 1;
    m->is_imported = true;
    m->is_rep = true;
    m->was_started = true;
    if (mem->fd >= 0) {
        doca_priv_rep_mem_map(doca_priv_rep_mem_of(m));
        far->rep_mem = doca_priv_rep_mem_of(m);
        far->dmabuf_fd = -1;
        far->pid = UINT32_MAX; /* not the number of a process, so that nothing overlaps this
                                * memory */
        far->may_read = true;
        m->far = far;
    } else {
        m->dev_mask = dev->bit;
        m->is_backend_only = true;
    }
    doca_priv_dev_hold(dev);
    doca_priv_mmap_enter_started(m);
}

/* Ask the backend for the memory of the machine of `rep`. */
static doca_error_t doca_priv_rep_mem_open(struct doca_dev *dev, const struct doca_dev_rep *rep,
                                           struct doca_core_rep_mem *mem, const char *function)
{
    doca_error_t rc;

    if (rep->info.info.backend != dev->info.backend)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_REP_OTHER_BACKEND, function,
                              rep);
    if (dev->backend->rep_mem_open == NULL)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_REP_NO_MEMORY, function,
                              rep);
    DOCA_CORE_MEMSET(mem, 0, sizeof(*mem));
    mem->fd = -1;
    doca_priv_listen();
    rc = dev->backend->rep_mem_open(dev, &rep->info.info.attr, mem);
    if (rc != DOCA_SUCCESS)
        return doca_priv_refused(rc, function, rep);
    if (doca_priv_rep_mem_is_sound(mem))
        return DOCA_SUCCESS;
    if (mem->fd >= 0)
        doca_priv_sys_close(mem->fd);
    else
        dev->backend->rep_mem_close(dev, mem->mkey, mem->internal_mkey);
    return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_REP_NO_MEMORY, function, rep);
}

static doca_error_t doca_priv_mmap_from_rep(struct doca_core_arena *arena, struct doca_dev *dev,
                                            struct doca_dev_rep *rep, struct doca_mmap **mmap,
                                            const char *function)
{
    struct doca_core_rep_mem mem;
    void *map = NULL, *far = NULL;
    doca_error_t rc;

    if (!doca_priv_is(rep, DOCA_PRIV_KIND_DEV_REP))
        return doca_priv_fail_handle(rep, function);
    rc = doca_priv_rep_mem_carve(arena, &map, &far, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_mmap_init((struct doca_mmap *)map, arena);
    rc = doca_priv_rep_mem_open(dev, rep, &mem, function);
    if (rc == DOCA_SUCCESS)
        doca_priv_rep_mem_attach((struct doca_mmap *)map, dev, &mem, (struct doca_priv_far *)far);
    if (rc != DOCA_SUCCESS || mem.fd < 0)
        (void)doca_core_arena_give(arena, far);
    if (rc != DOCA_SUCCESS)
        (void)doca_priv_object_give(arena, (struct doca_priv_object *)map);
    else
        *mmap = (struct doca_mmap *)DOCA_PRIV_HANDLE((struct doca_mmap *)map);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_mmap_create_from_rep(struct doca_dev *dev,
                                                           struct doca_dev_rep *dev_rep,
                                                           struct doca_mmap **mmap)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, mmap, __func__);

    return rc != DOCA_SUCCESS
               ? rc
               : doca_priv_mmap_from_rep(dev->info.arena, dev, dev_rep, mmap, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_mmap_create_from_rep_in(struct doca_core_arena *arena,
                                                              struct doca_dev *dev,
                                                              struct doca_dev_rep *dev_rep,
                                                              struct doca_mmap **mmap)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, mmap, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, dev, __func__);
    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_mmap_from_rep(arena, dev, dev_rep, mmap, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_mmap_get_num_regions(const struct doca_mmap *mmap,
                                                           uint32_t *num_regions)
{
    DOCA_PRIV_OPEN(mmap)
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, num_regions, __func__);

    if (rc == DOCA_SUCCESS)
        *num_regions = mmap->is_rep ? doca_priv_rep_mem_of(mmap)->num_regions : 0;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_mmap_get_region(const struct doca_mmap *mmap, uint32_t index,
                                                      struct doca_core_region *region)
{
    DOCA_PRIV_OPEN(mmap)
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, region, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!mmap->is_rep || index >= doca_priv_rep_mem_of(mmap)->num_regions)
        return DOCA_PRIV_FAIL(NOT_FOUND, MMAP_NO_REGION, mmap);
    *region = doca_priv_rep_mem_of(mmap)->regions[index];
    return DOCA_SUCCESS;
}

/* True when none of the pages of [offset, offset + len) is a hole of the file. */
static bool doca_priv_rep_mem_is_data(const struct doca_core_rep_mem *mem, uint64_t offset,
                                      size_t len)
{
    const uint64_t end = offset + len;

    for (offset -= offset % DOCA_PRIV_PAGE_BYTES; offset < end; offset += DOCA_PRIV_PAGE_BYTES)
        if (!doca_priv_sys_file_is_data(mem->fd, offset))
            return false;
    return true;
}

DOCA_CORE_DECL doca_error_t doca_core_mmap_get_view(const struct doca_mmap *mmap, uint64_t addr,
                                                    size_t len, const void **view)
{
    DOCA_PRIV_OPEN(mmap)
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, view, __func__);
    const struct doca_core_region *region;
    const struct doca_core_rep_mem *mem;
    uint64_t at;

    if (rc != DOCA_SUCCESS)
        return rc;
    *view = NULL;
    if (!mmap->is_rep || doca_priv_rep_mem_of(mmap)->view == NULL)
        return DOCA_SUCCESS;
    mem = doca_priv_rep_mem_of(mmap);
    region = doca_priv_rep_mem_find(mem, addr);
    if (region == NULL || len > region->len - (addr - region->addr))
        return DOCA_SUCCESS;
    at = region->offset + (addr - region->addr);
    if (doca_priv_rep_mem_is_data(mem, at, len))
        *view = mem->view + at;
    return DOCA_SUCCESS;
}

#endif /* DOCA_CORE_NO_REP */

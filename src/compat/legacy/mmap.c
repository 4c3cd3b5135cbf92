/* ---- >>impl.legacy.mmap ----------------------------------------------------------------------
 * Create, start, stop and destroy mmaps, and the calls that an mmap of 2.0 passes on to the mmap of
 * doca_core.h that it wraps.                                                                     */
#include "compat/legacy/mmap_priv.h"

#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/device.h"
#include "device/device_priv.h"
#include "memory/mmap.h"
#include "memory/mmap_priv.h"
#include "compat/legacy/bytes.h"
#include "compat/legacy/mmap.h"

/* Copy a name to zeroed memory, and cut it if it is too long. `name` may be NULL. */
DOCA_PRIV_DECL void doca_priv_legacy_name(char *to, const char *name)
{
    size_t i;

    for (i = 0; name != NULL && name[i] != '\0' && i + 1 < DOCA_CORE_LEGACY_NAME_BYTES; i++)
        to[i] = name[i];
}

DOCA_PRIV_DECL doca_error_t doca_priv_legacy_mmap_make(const char *name,
                                                       const union doca_data *user_data,
                                                       struct doca_core_legacy_mmap **mmap,
                                                       const char *function)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    struct doca_core_legacy_mmap *m;
    void *block = NULL;
    doca_error_t rc;

    if (mmap == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              NULL);
    rc = doca_priv_object_take(arena, sizeof(*m), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    m = (struct doca_core_legacy_mmap *)block;
    doca_priv_object_init(&m->obj, DOCA_PRIV_KIND_LEGACY_MMAP);
    m->arena = arena;
    m->max_chunks = 1;
    m->max_devs = 1;
    m->flags = DOCA_MMAP_ACCESS_LOCAL_WRITE | DOCA_MMAP_ACCESS_REMOTE_WRITE |
               DOCA_MMAP_ACCESS_REMOTE_READ;
    if (user_data != NULL)
        m->user_data = *user_data;
    doca_priv_legacy_name(m->name, name);
    *mmap = m;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create(const char *name,
                                                         struct doca_core_legacy_mmap **mmap)
{
    return doca_priv_legacy_mmap_make(name, NULL, mmap, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_15(const union doca_data *user_data,
                                                            struct doca_core_legacy_mmap **mmap)
{
    return doca_priv_legacy_mmap_make(NULL, user_data, mmap, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_20(const union doca_data *user_data,
                                                            struct doca_core_legacy_mmap **mmap)
{
    struct doca_core_legacy_mmap *m = NULL;
    doca_error_t rc = doca_priv_legacy_mmap_make(NULL, user_data, mmap != NULL ? &m : NULL,
                                                 __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    /* analyzer: core.NullDereference: success means that m was created */
    rc = doca_priv_mmap_create(m->arena, &m->whole, __func__);
    if (rc != DOCA_SUCCESS) {
        (void)doca_priv_object_give(m->arena, &m->obj);
        return rc;
    }
    m->whole->obj.owner = DOCA_PRIV_OF_LEGACY;
    m->whole->user_data.ptr = m;
    m->chunks = &m->whole;
    m->num_chunks = m->max_chunks;
    *mmap = m;
    return DOCA_SUCCESS;
}

/* Set `*whole` to the mmap of doca_core.h behind an mmap of 2.0. Reports an error for an mmap of
 * 1.x, which has no such mmap. */
static doca_error_t doca_priv_legacy_mmap_whole(const struct doca_core_legacy_mmap *mmap,
                                                struct doca_mmap **whole, const char *function)
{
    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_LEGACY_MMAP))
        return doca_priv_fail_handle(mmap, function);
    if (mmap->whole == NULL)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_LEGACY_RANGES, function,
                              mmap);
    *whole = mmap->whole;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_memrange(struct doca_core_legacy_mmap *mmap,
                                                               void *addr, size_t len)
{
    struct doca_mmap *whole = NULL;
    doca_error_t rc = doca_priv_legacy_mmap_whole(mmap, &whole, __func__);

    return rc == DOCA_SUCCESS ? doca_mmap_set_memrange(whole, addr, len) : rc;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_memrange(
    const struct doca_core_legacy_mmap *mmap, void **addr, size_t *len)
{
    struct doca_mmap *whole = NULL;
    doca_error_t rc = doca_priv_legacy_mmap_whole(mmap, &whole, __func__);

    return rc == DOCA_SUCCESS ? doca_mmap_get_memrange(whole, addr, len) : rc;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_dmabuf_memrange(
    struct doca_core_legacy_mmap *mmap, int dmabuf_fd, void *addr, size_t dmabuf_offset, size_t len)
{
    struct doca_mmap *whole = NULL;
    doca_error_t rc = doca_priv_legacy_mmap_whole(mmap, &whole, __func__);

    return rc == DOCA_SUCCESS
               ? doca_mmap_set_dmabuf_memrange(whole, dmabuf_fd, addr, dmabuf_offset, len)
               : rc;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_permissions(
    struct doca_core_legacy_mmap *mmap, uint32_t access_mask)
{
    struct doca_mmap *whole = NULL;
    doca_error_t rc = doca_priv_legacy_mmap_whole(mmap, &whole, __func__);

    return rc == DOCA_SUCCESS ? doca_mmap_set_permissions(whole, access_mask) : rc;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_free_cb(
    struct doca_core_legacy_mmap *mmap, doca_mmap_memrange_free_cb_t *free_cb, void *opaque)
{
    struct doca_mmap *whole = NULL;
    doca_error_t rc = doca_priv_legacy_mmap_whole(mmap, &whole, __func__);

    return rc == DOCA_SUCCESS ? doca_mmap_set_free_cb(whole, free_cb, opaque) : rc;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_user_data(struct doca_core_legacy_mmap *mmap,
                                                                union doca_data user_data)
{
    struct doca_mmap *whole = NULL;
    doca_error_t rc = doca_priv_legacy_mmap_whole(mmap, &whole, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (mmap->obj.state == DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, MMAP_STARTED, mmap);
    mmap->user_data = user_data;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_export_dpu(struct doca_core_legacy_mmap *mmap,
                                                 const struct doca_dev *dev,
                                                 const void **export_desc,
                                                 size_t *export_desc_len)
{
    struct doca_mmap *whole = NULL;
    doca_error_t rc = doca_priv_legacy_mmap_whole(mmap, &whole, __func__);

    return rc == DOCA_SUCCESS ? doca_mmap_export_pci(whole, dev, export_desc, export_desc_len)
                              : rc;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_export_rdma(struct doca_core_legacy_mmap *mmap,
                                                              const struct doca_dev *dev,
                                                              const void **export_desc,
                                                              size_t *export_desc_len)
{
    struct doca_mmap *whole = NULL;
    doca_error_t rc = doca_priv_legacy_mmap_whole(mmap, &whole, __func__);

    return rc == DOCA_SUCCESS ? doca_mmap_export_rdma(whole, dev, export_desc, export_desc_len)
                              : rc;
}

DOCA_PRIV_DECL uint32_t doca_priv_legacy_num_bufs(const struct doca_core_legacy_mmap *mmap)
{
    uint32_t num = 0, i;

    for (i = 0; i < mmap->num_chunks; i++)
        num += mmap->chunks[i]->num_bufs;
    return num;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_destroy(struct doca_core_legacy_mmap *mmap)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    doca_error_t rc = DOCA_SUCCESS;
    uint32_t i;

    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_LEGACY_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    for (i = 0; i < mmap->num_chunks && item == DOCA_CORE_ITEM_NONE; i++)
        item = doca_priv_mmap_busy(mmap->chunks[i], __func__);
    if (item != DOCA_CORE_ITEM_NONE)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, item, __func__, mmap);
    mmap->obj.guard = 0; /* calls with this mmap fail from here on, in free callbacks as well */
    for (i = 0; i < mmap->num_chunks; i++)
        DOCA_ERROR_PROPAGATE(rc, doca_mmap_destroy(mmap->chunks[i]));
    for (i = 0; i < mmap->num_devs; i++)
        doca_priv_dev_drop(mmap->devs[i]);
    if (mmap->whole == NULL)
        DOCA_ERROR_PROPAGATE(rc, doca_core_arena_give(mmap->arena, mmap->chunks));
    DOCA_ERROR_PROPAGATE(rc, doca_priv_object_give(mmap->arena, &mmap->obj));
    return rc;
}

/* Take the block for the tables of ranges and devices. */
static doca_error_t doca_priv_legacy_mmap_carve(struct doca_core_arena *arena, uint32_t max_chunks,
                                                uint32_t max_devs, void **block,
                                                const char *function)
{
    return doca_priv_object_take(arena,
                                 doca_priv_size(max_chunks, sizeof(void *),
                                                doca_priv_size(max_devs, sizeof(void *), 0)),
                                 block, function);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_mmap(uint32_t max_num_chunks,
                                                        uint32_t max_num_devices, size_t *bytes)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, __func__);
    size_t each, sum = 0;
    void *block;

    if (rc != DOCA_SUCCESS)
        return rc;
    each = DOCA_CORE_BYTES_MMAP(1);
    if (max_num_devices > DOCA_CORE_MMAP_DEVS)
        each += DOCA_CORE_BYTES_MMAP_DEVS(max_num_devices);
    rc = doca_priv_object_take(&count, sizeof(struct doca_core_legacy_mmap), &block, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_legacy_mmap_carve(&count, max_num_chunks, max_num_devices, &block, __func__);
    rc = doca_priv_counted(&count, rc, &sum, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (max_num_chunks > (SIZE_MAX - sum) / each)
        return DOCA_PRIV_FAIL(NO_MEMORY, ARENA_EXHAUSTED, NULL);
    *bytes = sum + max_num_chunks * each;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_start(struct doca_core_legacy_mmap *mmap)
{
    void *block = NULL;
    doca_error_t rc;

    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_LEGACY_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    if (mmap->whole != NULL) {
        rc = doca_mmap_start(mmap->whole);
        if (rc == DOCA_SUCCESS)
            mmap->obj.state = DOCA_PRIV_STARTED;
        return rc;
    }
    if (!mmap->was_started) {
        rc = doca_priv_legacy_mmap_carve(mmap->arena, mmap->max_chunks, mmap->max_devs, &block,
                                         __func__);
        if (rc != DOCA_SUCCESS)
            return rc;
        mmap->chunks = (struct doca_mmap **)block;
        mmap->devs = (struct doca_dev **)(void *)(mmap->chunks + mmap->max_chunks);
        mmap->was_started = true;
    }
    mmap->obj.state = DOCA_PRIV_STARTED;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_stop(struct doca_core_legacy_mmap *mmap)
{
    doca_error_t rc;

    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_LEGACY_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    if (mmap->whole != NULL) {
        rc = doca_mmap_stop(mmap->whole);
        if (rc != DOCA_SUCCESS)
            return rc;
    }
    mmap->obj.state = DOCA_PRIV_STOPPED;
    return DOCA_SUCCESS;
}

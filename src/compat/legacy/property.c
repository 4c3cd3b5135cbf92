/* ---- >>impl.legacy.property ------------------------------------------------------------------
 * Properties of mmaps.                                                                          */
#include "compat/legacy/property_priv.h"

#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "memory/mmap.h"
#include "compat/legacy/mmap.h"
#include "compat/legacy/mmap_priv.h"

/* Copy `bytes` bytes of `from` to `value`, and fill the rest of its `size` bytes with zeros. */
DOCA_PRIV_DECL doca_error_t doca_priv_property_put(void *value, uint32_t size, const void *from,
                                                   size_t bytes, const char *function)
{
    if (size < bytes)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_LEGACY_PROPERTY, function,
                              NULL);
    DOCA_CORE_MEMSET(value, 0, size);
    DOCA_CORE_MEMCPY(value, from, bytes);
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL doca_error_t doca_priv_property_put_32(void *value, uint32_t size, uint32_t number,
                                                      const char *function)
{
    return doca_priv_property_put(value, size, &number, sizeof(number), function);
}

static doca_error_t doca_priv_mmap_property_set(struct doca_core_legacy_mmap *mmap,
                                                enum doca_mmap_property property,
                                                const void *value, uint32_t size,
                                                const char *function)
{
    const uint32_t all_flags = 2 * (uint32_t)DOCA_MMAP_ACCESS_REMOTE_ATOMIC - 1;
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_LEGACY_MMAP, value, function);
    enum doca_core_item item = DOCA_CORE_ITEM_LEGACY_PROPERTY;
    uint32_t number;

    if (rc != DOCA_SUCCESS)
        return rc;
    if ((unsigned)property > DOCA_MMAP_ACCESS_FLAGS)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, item, function, mmap);
    if (property != DOCA_MMAP_MAX_NUM_CHUNKS && property != DOCA_MMAP_MAX_NUM_DEVICES &&
        property != DOCA_MMAP_ACCESS_FLAGS)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_LEGACY_READ_ONLY, function,
                              mmap);
    if (size != sizeof(number))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, item, function, mmap);
    DOCA_CORE_MEMCPY(&number, value, sizeof(number));
    if (property == DOCA_MMAP_ACCESS_FLAGS ? (number & ~all_flags) != 0 : number == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, item, function, mmap);
    if (mmap->whole != NULL && property == DOCA_MMAP_MAX_NUM_DEVICES)
        return doca_mmap_set_max_num_devices(mmap->whole, number);
    if (mmap->whole != NULL)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_LEGACY_ONE_RANGE, function,
                              mmap);
    if (mmap->was_started)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_LEGACY_FIXED, function,
                              mmap);
    if (property == DOCA_MMAP_MAX_NUM_CHUNKS)
        mmap->max_chunks = number;
    else if (property == DOCA_MMAP_MAX_NUM_DEVICES)
        mmap->max_devs = number;
    else
        mmap->flags = number;
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_mmap_property_get(const struct doca_core_legacy_mmap *mmap,
                                                enum doca_mmap_property property, void *value,
                                                uint32_t size, const char *function)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_LEGACY_MMAP, value, function);
    uint32_t max_devs;
    uint8_t flag;

    if (rc != DOCA_SUCCESS)
        return rc;
    max_devs = mmap->whole != NULL ? mmap->whole->max_devs : mmap->max_devs;
    switch ((int)property) {
    case DOCA_MMAP_NAME:
        return doca_priv_property_put(value, size, mmap->name, doca_priv_str_len(mmap->name) + 1,
                                      function);
    case DOCA_MMAP_MAX_NUM_CHUNKS:
        return doca_priv_property_put_32(value, size, mmap->max_chunks, function);
    case DOCA_MMAP_MAX_NUM_DEVICES:
        return doca_priv_property_put_32(value, size, max_devs, function);
    case DOCA_MMAP_NUM_BUFS:
        return doca_priv_property_put_32(value, size, doca_priv_legacy_num_bufs(mmap), function);
    case DOCA_MMAP_EXPORTED:
    case DOCA_MMAP_FROM_EXPORT:
        flag = (property == DOCA_MMAP_FROM_EXPORT ? mmap->is_imported
                : mmap->whole != NULL             ? mmap->whole->exports != NULL
                                                  : mmap->is_exported)
                   ? 1
                   : 0;
        return doca_priv_property_put(value, size, &flag, sizeof(flag), function);
    case DOCA_MMAP_ACCESS_FLAGS:
        return doca_priv_property_put_32(value, size, mmap->flags, function);
    default:
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_LEGACY_PROPERTY, function,
                              mmap);
    }
}

DOCA_CORE_DECL doca_error_t doca_mmap_property_set(struct doca_core_legacy_mmap *mmap,
                                                   enum doca_mmap_property property,
                                                   const void *value, uint32_t size)
{
    return doca_priv_mmap_property_set(mmap, property, value, size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_property_get(struct doca_core_legacy_mmap *mmap,
                                                   enum doca_mmap_property property, void *value,
                                                   uint32_t size)
{
    return doca_priv_mmap_property_get(mmap, property, value, size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_set_max_num_chunks(struct doca_core_legacy_mmap *mmap,
                                                         uint32_t max_num_chunks)
{
    return doca_priv_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &max_num_chunks,
                                       sizeof(max_num_chunks), __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_get_max_num_chunks(struct doca_core_legacy_mmap *mmap,
                                                         uint32_t *max_num_chunks)
{
    return doca_priv_mmap_property_get(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, max_num_chunks,
                                       sizeof(*max_num_chunks), __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_max_num_devices(
    struct doca_core_legacy_mmap *mmap, uint32_t max_num_devices)
{
    return doca_priv_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_DEVICES, &max_num_devices,
                                       sizeof(max_num_devices), __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_max_num_devices(
    struct doca_core_legacy_mmap *mmap, uint32_t *max_num_devices)
{
    return doca_priv_mmap_property_get(mmap, DOCA_MMAP_MAX_NUM_DEVICES, max_num_devices,
                                       sizeof(*max_num_devices), __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_num_bufs(struct doca_core_legacy_mmap *mmap,
                                                               uint32_t *num_bufs)
{
    return doca_priv_mmap_property_get(mmap, DOCA_MMAP_NUM_BUFS, num_bufs, sizeof(*num_bufs),
                                       __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_exported(struct doca_core_legacy_mmap *mmap,
                                                               uint8_t *exported)
{
    return doca_priv_mmap_property_get(mmap, DOCA_MMAP_EXPORTED, exported, sizeof(*exported),
                                       __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_from_export(
    struct doca_core_legacy_mmap *mmap, uint8_t *from_export)
{
    return doca_priv_mmap_property_get(mmap, DOCA_MMAP_FROM_EXPORT, from_export,
                                       sizeof(*from_export), __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_user_data(struct doca_core_legacy_mmap *mmap,
                                                                union doca_data *user_data)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_LEGACY_MMAP, user_data, __func__);

    if (rc == DOCA_SUCCESS)
        *user_data = mmap->user_data;
    return rc;
}

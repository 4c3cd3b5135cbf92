/* ---- >>impl.mmap_get ------------------------------------------------------------------------
 * The calls that read the properties of an mmap.                                                */
#include "memory/mmap_get_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/check.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "memory/mmap.h"

DOCA_CORE_DECL doca_error_t doca_mmap_get_memrange(const struct doca_mmap *mmap, void **addr,
                                                   size_t *len)
{
    DOCA_PRIV_OPEN(mmap)
    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    if (addr == NULL || len == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, mmap);
    if (!mmap->has_range)
        return DOCA_PRIV_FAIL(BAD_STATE, MMAP_NO_RANGE, mmap);
    *addr = mmap->addr;
    *len = mmap->len;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_get_max_num_devices(const struct doca_mmap *mmap,
                                                          uint32_t *max_num_devices)
{
    DOCA_PRIV_OPEN(mmap)
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, max_num_devices, __func__);

    if (rc == DOCA_SUCCESS)
        *max_num_devices = mmap->max_devs;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_mmap_get_num_bufs(const struct doca_mmap *mmap, uint32_t *num_bufs)
{
    DOCA_PRIV_OPEN(mmap)
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, num_bufs, __func__);

    if (rc == DOCA_SUCCESS)
        *num_bufs = mmap->is_shared ? 0
                                    : DOCA_PRIV_PEEK(&mmap->num_bufs) +
                                          DOCA_PRIV_PEEK(&mmap->num_events);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_mmap_get_user_data(const struct doca_mmap *mmap,
                                                    union doca_data *user_data)
{
    DOCA_PRIV_OPEN(mmap)
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, user_data, __func__);

    if (rc == DOCA_SUCCESS)
        *user_data = mmap->user_data;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_mmap_get_exported(const struct doca_mmap *mmap, uint8_t *exported)
{
    DOCA_PRIV_OPEN(mmap)
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, exported, __func__);

    if (rc == DOCA_SUCCESS)
        *exported = mmap->exports != NULL ? 1 : 0;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_mmap_get_from_export(const struct doca_mmap *mmap,
                                                      uint8_t *from_export)
{
    DOCA_PRIV_OPEN(mmap)
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, from_export, __func__);

    if (rc == DOCA_SUCCESS)
        *from_export = mmap->is_imported ? 1 : 0;
    return rc;
}

/* Return the address in this process of the byte at `at` of an mmap; `mmap` may be NULL. Returns
 * NULL when the byte is in another process. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED unsigned char *doca_priv_mmap_local(const struct doca_mmap *mmap,
                                                                    const unsigned char *at)
{
    if (mmap == NULL || mmap->far == NULL)
        return (unsigned char *)(uintptr_t)at;
    return mmap->far->view != NULL ? mmap->far->view + (at - mmap->addr) : NULL;
}

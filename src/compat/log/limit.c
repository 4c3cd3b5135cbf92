/* ---- >>impl.log.limit ------------------------------------------------------------------------
 * Calls that set and read limits.                                                               */
#include "compat/log/backend.h"
#include "compat/log/backend_priv.h"
#include "compat/log/library_priv.h"
#include "compat/log/platform_priv.h"
#include "compat/log/table_priv.h"

/* True when `backend` is in the table. The caller holds the lock. */
static bool doca_priv_log_is_backend(const struct doca_log_backend *backend)
{
    uint32_t i;

    for (i = 0; i < doca_priv_log_table.num_backends; i++)
        if (backend == &doca_priv_log_table.backends[i])
            return true;
    return false;
}

static doca_error_t doca_priv_log_set_lower(struct doca_log_backend *backend, uint32_t level,
                                            bool must_be_sdk)
{
    doca_error_t rc = DOCA_SUCCESS;

    doca_priv_log_lock();
    if (!doca_priv_log_is_level(level) || !doca_priv_log_is_backend(backend) ||
        (must_be_sdk && !backend->is_sdk))
        rc = DOCA_ERROR_INVALID_VALUE;
    else if (level > backend->lowest)
        rc = DOCA_ERROR_NOT_PERMITTED;
    else
        doca_priv_log_limit_lower(backend, level);
    if (rc == DOCA_SUCCESS && backend->is_sdk)
        doca_priv_log_claim_library();
    doca_priv_log_unlock();
    return rc;
}

doca_error_t doca_log_backend_set_sdk_level(struct doca_log_backend *backend, uint32_t level)
{
    return doca_priv_log_set_lower(backend, level, true);
}

doca_error_t doca_log_backend_set_level_lower_limit(struct doca_log_backend *backend,
                                                    uint32_t level)
{
    return doca_priv_log_set_lower(backend, level, false);
}

doca_error_t doca_log_backend_set_level_upper_limit(struct doca_log_backend *backend,
                                                    uint32_t upper_limit)
{
    doca_error_t rc = DOCA_SUCCESS;

    doca_priv_log_lock();
    if (!doca_priv_log_is_level(upper_limit) || !doca_priv_log_is_backend(backend))
        rc = DOCA_ERROR_INVALID_VALUE;
    else if (upper_limit < backend->highest)
        rc = DOCA_ERROR_NOT_PERMITTED;
    else
        doca_priv_log_limit_upper(backend, upper_limit);
    doca_priv_log_unlock();
    return rc;
}

doca_error_t doca_log_backend_set_level_lower_limit_strict(struct doca_log_backend *backend)
{
    doca_error_t rc = DOCA_ERROR_INVALID_VALUE;

    doca_priv_log_lock();
    if (doca_priv_log_is_backend(backend)) {
        backend->lowest = backend->lower;
        rc = DOCA_SUCCESS;
    }
    doca_priv_log_unlock();
    return rc;
}

doca_error_t doca_log_backend_set_level_upper_limit_strict(struct doca_log_backend *backend)
{
    doca_error_t rc = DOCA_ERROR_INVALID_VALUE;

    doca_priv_log_lock();
    if (doca_priv_log_is_backend(backend)) {
        backend->highest = backend->upper;
        rc = DOCA_SUCCESS;
    }
    doca_priv_log_unlock();
    return rc;
}

/* Set `*global` to `level`, and call `limit` with it for every backend of that side. */
static doca_error_t doca_priv_log_set_global(uint32_t *global, uint32_t level, bool is_sdk,
                                             void (*limit)(struct doca_log_backend *, uint32_t))
{
    uint32_t i;

    if (!doca_priv_log_is_level(level))
        return DOCA_ERROR_INVALID_VALUE;
    doca_priv_log_lock();
    doca_priv_log_read_environment();
    *global = level;
    for (i = 0; i < doca_priv_log_table.num_backends; i++)
        if (doca_priv_log_table.backends[i].is_sdk == is_sdk)
            limit(&doca_priv_log_table.backends[i], level);
    if (is_sdk)
        doca_priv_log_claim_library();
    doca_priv_log_unlock();
    return DOCA_SUCCESS;
}

static uint32_t doca_priv_log_get_global(const uint32_t *global)
{
    bool is_locked = doca_priv_log_try_lock();
    uint32_t level;

    if (is_locked)
        doca_priv_log_read_environment();
    level = *global;
    if (is_locked)
        doca_priv_log_unlock();
    return level;
}

doca_error_t doca_log_level_set_global_lower_limit(uint32_t level)
{
    return doca_priv_log_set_global(&doca_priv_log_global.lower, level, false,
                                    doca_priv_log_limit_lower);
}

doca_error_t doca_log_level_set_global_upper_limit(uint32_t upper_limit)
{
    return doca_priv_log_set_global(&doca_priv_log_global.upper, upper_limit, false,
                                    doca_priv_log_limit_upper);
}

doca_error_t doca_log_level_set_global_sdk_limit(uint32_t level)
{
    return doca_priv_log_set_global(&doca_priv_log_global.sdk, level, true,
                                    doca_priv_log_limit_lower);
}

uint32_t doca_log_level_get_global_lower_limit(void)
{
    return doca_priv_log_get_global(&doca_priv_log_global.lower);
}

uint32_t doca_log_level_get_global_upper_limit(void)
{
    return doca_priv_log_get_global(&doca_priv_log_global.upper);
}

uint32_t doca_log_level_get_global_sdk_limit(void)
{
    return doca_priv_log_get_global(&doca_priv_log_global.sdk);
}

/* ---- >>impl.apsh.settings --------------------------------------------------------------------
 * The setters of a system, and doca_apsh_sys_config().                                          */
#include "compat/apsh/system.h"

#include "compat/apsh/attr.h"
#include "compat/apsh/config.h"
#include "compat/apsh/info.h"
#include "compat/apsh/object.h"
#include "compat/apsh/object_priv.h"
#include "compat/apsh/platform_priv.h"

#define DOCA_PRIV_APSH_WINDOW 4096u /* bytes of a page */

static doca_error_t doca_priv_apsh_set_rep(struct doca_apsh_system *system,
                                           struct doca_dev_rep *rep, const char *function)
{
    doca_error_t rc = doca_priv_apsh_system_check(system, rep, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (doca_dev_rep_as_devinfo(rep) == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    system->set.rep = rep;
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_apsh_set_os(struct doca_apsh_system *system, unsigned os,
                                          const char *function)
{
    doca_error_t rc = doca_priv_apsh_system_check(system, system, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (os != DOCA_APSH_SYSTEM_LINUX)
        return os == DOCA_APSH_SYSTEM_WINDOWS
                   ? DOCA_PRIV_APSH_FAIL(NOT_SUPPORTED, APSH_WINDOWS, function)
                   : DOCA_PRIV_APSH_FAIL(NOT_SUPPORTED, APSH_VALUE, function);
    system->set.os = DOCA_APSH_SYSTEM_LINUX;
    system->set.has_os = true;
    return DOCA_SUCCESS;
}

/* Replace the path of the file `attr`: one of OS_SYMBOL_MAP, MEM_REGION and KPGD_FILE. */
static doca_error_t doca_priv_apsh_set_file(struct doca_apsh_system *system, int attr,
                                            const char *path, const char *function)
{
    doca_error_t rc = doca_priv_apsh_system_check(system, path, function);
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (path[0] == '\0')
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, APSH_VALUE, function);
    rc = doca_core_arena_take(system->arena, strlen(path) + 1, &block);
    if (rc != DOCA_SUCCESS)
        return rc;
    memcpy(block, path, strlen(path) + 1);
    doca_priv_apsh_give(system->arena, system->set.files[attr]);
    system->set.files[attr] = (char *)block;
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_apsh_set_window_size(struct doca_apsh_system *system, uint32_t size,
                                                   const char *function)
{
    doca_error_t rc = doca_priv_apsh_system_check(system, system, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (size == 0 || (size % DOCA_PRIV_APSH_WINDOW != 0 && DOCA_PRIV_APSH_WINDOW % size != 0))
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, APSH_WINDOW, function);
    system->set.window_size = size;
    if (size % system->set.window_step != 0)
        system->set.window_step = size;
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_apsh_set_window_step(struct doca_apsh_system *system, uint32_t step,
                                                   const char *function)
{
    doca_error_t rc = doca_priv_apsh_system_check(system, system, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (step == 0 || system->set.window_size % step != 0)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, APSH_WINDOW, function);
    system->set.window_step = step;
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_apsh_set_limit(struct doca_apsh_system *system, int attr,
                                             int64_t limit, const char *function)
{
    doca_error_t rc = doca_priv_apsh_system_check(system, system, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (limit < 1)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, ZERO, function);
    system->set.limits[attr - DOCA_APSH_HASHTEST_LIMIT] = (int)limit;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_apsh_sys_dev_set(struct doca_apsh_system *system,
                                                  struct doca_dev_rep *dev)
{
    return doca_priv_apsh_set_rep(system, dev, __func__);
}

DOCA_CORE_DECL doca_error_t doca_apsh_sys_os_type_set(struct doca_apsh_system *system,
                                                      enum doca_apsh_system_os os_type)
{
    return doca_priv_apsh_set_os(system, (unsigned)os_type, __func__);
}

DOCA_CORE_DECL doca_error_t doca_apsh_sys_os_symbol_map_set(struct doca_apsh_system *system,
                                                            const char *system_os_symbol_map_path)
{
    return doca_priv_apsh_set_file(system, DOCA_APSH_OS_SYMBOL_MAP, system_os_symbol_map_path,
                                   __func__);
}

DOCA_CORE_DECL doca_error_t doca_apsh_sys_mem_region_set(struct doca_apsh_system *system,
                                                         const char *system_mem_region_path)
{
    return doca_priv_apsh_set_file(system, DOCA_APSH_MEM_REGION, system_mem_region_path, __func__);
}

DOCA_CORE_DECL doca_error_t doca_apsh_sys_kpgd_file_set(struct doca_apsh_system *system,
                                                        const char *system_kpgd_file_path)
{
    return doca_priv_apsh_set_file(system, DOCA_APSH_KPGD_FILE, system_kpgd_file_path, __func__);
}

DOCA_CORE_DECL doca_error_t doca_apsh_sys_set_scan_window_size(struct doca_apsh_system *system,
                                                               uint32_t scan_window_size)
{
    return doca_priv_apsh_set_window_size(system, scan_window_size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_apsh_sys_set_scan_window_step(struct doca_apsh_system *system,
                                                               uint32_t scan_window_step)
{
    return doca_priv_apsh_set_window_step(system, scan_window_step, __func__);
}

DOCA_CORE_DECL doca_error_t __doca_apsh_sys_config(struct doca_apsh_system *system,
                                                   enum doca_apsh_system_config_attr attr,
                                                   void *value)
{
    const uintptr_t number = (uintptr_t)value;

    switch ((int)attr) {
    case DOCA_APSH_OS_SYMBOL_MAP:
    case DOCA_APSH_MEM_REGION:
    case DOCA_APSH_KPGD_FILE:
        return doca_priv_apsh_set_file(system, (int)attr, (const char *)value,
                                       "doca_apsh_sys_config");
    case DOCA_APSH_VHCA_ID:
        return doca_priv_apsh_set_rep(system, (struct doca_dev_rep *)value,
                                      "doca_apsh_sys_config");
    case DOCA_APSH_OS_TYPE:
        return doca_priv_apsh_set_os(system, (unsigned)number, "doca_apsh_sys_config");
    case DOCA_APSH_SCAN_WIN_SIZE:
        return doca_priv_apsh_set_window_size(system, (uint32_t)number, "doca_apsh_sys_config");
    case DOCA_APSH_SCAN_WIN_STEP:
        return doca_priv_apsh_set_window_step(system, (uint32_t)number, "doca_apsh_sys_config");
    default:
        if ((int)attr < DOCA_APSH_HASHTEST_LIMIT || (int)attr > DOCA_APSH_STRING_LIMIT)
            return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, APSH_VALUE, "doca_apsh_sys_config");
        return doca_priv_apsh_set_limit(system, (int)attr, (int32_t)number,
                                        "doca_apsh_sys_config");
    }
}

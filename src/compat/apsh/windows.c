/* ---- >>impl.apsh.windows ---------------------------------------------------------------------
 * The calls of 2.5.1 that exist only for Windows.                                               */
#include "compat/apsh/windows.h"

#include "compat/apsh/config.h"
#include "compat/apsh/object_priv.h"
#include "compat/apsh/snapshot_priv.h"

/* Check the arguments of a call for a process, and refuse it. */
static doca_error_t doca_priv_apsh_refuse(const struct doca_apsh_process *process,
                                          const void *list, const void *num, const char *function)
{
    if (process == NULL || list == NULL || num == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, function);
    if (!doca_priv_apsh_is_element(process, DOCA_PRIV_APSH_PROCESSES))
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, function);
    return DOCA_PRIV_APSH_FAIL(NOT_SUPPORTED, APSH_WINDOWS_ONLY, function);
}

DOCA_CORE_DECL doca_error_t doca_apsh_netscan_get(struct doca_apsh_system *system,
                                                  struct doca_apsh_netscan ***connections,
                                                  int *connections_size)
{
    if (system == NULL || connections == NULL || connections_size == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    if (!doca_priv_apsh_is_system(system))
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, __func__);
    return system->is_started ? DOCA_PRIV_APSH_FAIL(NOT_SUPPORTED, APSH_WINDOWS_ONLY, __func__)
                              : DOCA_PRIV_APSH_FAIL(BAD_STATE, APSH_NOT_STARTED, __func__);
}

DOCA_CORE_DECL void doca_apsh_netscan_free(struct doca_apsh_netscan **connections)
{
    (void)connections;
}

DOCA_CORE_DECL doca_error_t doca_apsh_handles_get(struct doca_apsh_process *process,
                                                  struct doca_apsh_handle ***handles,
                                                  int *handles_size)
{
    return doca_priv_apsh_refuse(process, handles, handles_size, __func__);
}

DOCA_CORE_DECL void doca_apsh_handles_free(struct doca_apsh_handle **handles)
{
    (void)handles;
}

DOCA_CORE_DECL doca_error_t doca_apsh_ldrmodules_get(struct doca_apsh_process *process,
                                                     struct doca_apsh_ldrmodule ***ldrmodules,
                                                     int *ldrmodules_size)
{
    return doca_priv_apsh_refuse(process, ldrmodules, ldrmodules_size, __func__);
}

DOCA_CORE_DECL void doca_apsh_ldrmodules_free(struct doca_apsh_ldrmodule **ldrmodules)
{
    (void)ldrmodules;
}

DOCA_CORE_DECL doca_error_t doca_apsh_privileges_get(struct doca_apsh_process *process,
                                                     struct doca_apsh_privilege ***privileges,
                                                     int *privileges_size)
{
    return doca_priv_apsh_refuse(process, privileges, privileges_size, __func__);
}

DOCA_CORE_DECL void doca_apsh_privileges_free(struct doca_apsh_privilege **privileges)
{
    (void)privileges;
}

DOCA_CORE_DECL doca_error_t doca_apsh_sids_get(struct doca_apsh_process *process,
                                               struct doca_apsh_sid ***sids, int *sids_size)
{
    return doca_priv_apsh_refuse(process, sids, sids_size, __func__);
}

DOCA_CORE_DECL void doca_apsh_sids_free(struct doca_apsh_sid **sids)
{
    (void)sids;
}

DOCA_CORE_DECL doca_error_t doca_apsh_process_parameters_get(
    struct doca_apsh_process *process, struct doca_apsh_process_parameters **process_parameters)
{
    return doca_priv_apsh_refuse(process, process_parameters, process_parameters, __func__);
}

DOCA_CORE_DECL void doca_apsh_process_parameters_free(
    struct doca_apsh_process_parameters *process_parameters)
{
    (void)process_parameters;
}

DOCA_CORE_DECL doca_error_t doca_apsh_injection_detect_get(
    struct doca_apsh_process *process, struct doca_apsh_injection_detect ***suspected_injections,
    int *suspected_injections_size)
{
    return doca_priv_apsh_refuse(process, suspected_injections, suspected_injections_size,
                                 __func__);
}

DOCA_CORE_DECL void doca_apsh_injection_detect_free(
    struct doca_apsh_injection_detect **suspected_injections)
{
    (void)suspected_injections;
}

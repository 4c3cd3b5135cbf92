/* ---- >>impl.apsh.list ------------------------------------------------------------------------
 * The calls that list what runs on a target.                                                    */
#include "compat/apsh/list.h"

#include "compat/apsh/attest_priv.h"
#include "compat/apsh/config.h"
#include "compat/apsh/envar_priv.h"
#include "compat/apsh/lib_priv.h"
#include "compat/apsh/module_priv.h"
#include "compat/apsh/object_priv.h"
#include "compat/apsh/process_priv.h"
#include "compat/apsh/scan_priv.h"
#include "compat/apsh/snapshot_priv.h"
#include "compat/apsh/thread_priv.h"
#include "compat/apsh/vad_priv.h"

/* Check the arguments of a call that lists objects of a system. */
static doca_error_t doca_priv_apsh_check_list(const struct doca_apsh_system *system,
                                              const void *list, const void *num,
                                              const char *function)
{
    if (system == NULL || list == NULL || num == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, function);
    if (!doca_priv_apsh_is_system(system))
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, function);
    return system->is_started ? DOCA_SUCCESS
                              : DOCA_PRIV_APSH_FAIL(INITIALIZATION, APSH_NOT_STARTED, function);
}

/* Check the arguments of a call that lists objects of a process. */
static doca_error_t doca_priv_apsh_check_process(const struct doca_apsh_process *process,
                                                 const void *list, const void *num,
                                                 const char *function)
{
    const struct doca_priv_apsh_element *element =
        (const struct doca_priv_apsh_element *)(const void *)process;

    if (process == NULL || list == NULL || num == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, function);
    if (!doca_priv_apsh_is_element(process, DOCA_PRIV_APSH_PROCESSES))
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, function);
    return element->snapshot->system->is_started
               ? DOCA_SUCCESS
               : DOCA_PRIV_APSH_FAIL(INITIALIZATION, APSH_NOT_STARTED, function);
}

DOCA_CORE_DECL doca_error_t doca_apsh_processes_get(struct doca_apsh_system *system,
                                                    struct doca_apsh_process ***processes,
                                                    int *processes_size)
{
    doca_error_t rc = doca_priv_apsh_check_list(system, processes, processes_size, __func__);
    struct doca_priv_apsh_snapshot *snapshot = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_processes(system, &snapshot, __func__);
    if (rc == DOCA_SUCCESS)
        doca_priv_apsh_snapshot_give(snapshot, processes, processes_size);
    return rc;
}

DOCA_CORE_DECL void doca_apsh_processes_free(struct doca_apsh_process **processes)
{
    doca_priv_apsh_snapshot_free(processes, DOCA_PRIV_APSH_PROCESSES, __func__);
}

DOCA_CORE_DECL doca_error_t doca_apsh_modules_get(struct doca_apsh_system *system,
                                                  struct doca_apsh_module ***modules,
                                                  int *modules_size)
{
    doca_error_t rc = doca_priv_apsh_check_list(system, modules, modules_size, __func__);
    struct doca_priv_apsh_snapshot *snapshot = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_modules(system, &snapshot, __func__);
    if (rc == DOCA_SUCCESS)
        doca_priv_apsh_snapshot_give(snapshot, modules, modules_size);
    return rc;
}

DOCA_CORE_DECL void doca_apsh_module_free(struct doca_apsh_module **modules)
{
    doca_priv_apsh_snapshot_free(modules, DOCA_PRIV_APSH_MODULES, __func__);
}

DOCA_CORE_DECL doca_error_t doca_apsh_libs_get(struct doca_apsh_process *process,
                                               struct doca_apsh_lib ***libs, int *libs_size)
{
    doca_error_t rc = doca_priv_apsh_check_process(process, libs, libs_size, __func__);
    struct doca_priv_apsh_snapshot *snapshot = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_libs(process, &snapshot, __func__);
    if (rc == DOCA_SUCCESS)
        doca_priv_apsh_snapshot_give(snapshot, libs, libs_size);
    return rc;
}

DOCA_CORE_DECL void doca_apsh_libs_free(struct doca_apsh_lib **libs)
{
    doca_priv_apsh_snapshot_free(libs, DOCA_PRIV_APSH_LIBS, __func__);
}

DOCA_CORE_DECL doca_error_t doca_apsh_threads_get(struct doca_apsh_process *process,
                                                  struct doca_apsh_thread ***threads,
                                                  int *threads_size)
{
    doca_error_t rc = doca_priv_apsh_check_process(process, threads, threads_size, __func__);
    struct doca_priv_apsh_snapshot *snapshot = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_threads(process, &snapshot, __func__);
    if (rc == DOCA_SUCCESS)
        doca_priv_apsh_snapshot_give(snapshot, threads, threads_size);
    return rc;
}

DOCA_CORE_DECL void doca_apsh_threads_free(struct doca_apsh_thread **threads)
{
    doca_priv_apsh_snapshot_free(threads, DOCA_PRIV_APSH_THREADS, __func__);
}

DOCA_CORE_DECL doca_error_t doca_apsh_vads_get(struct doca_apsh_process *process,
                                               struct doca_apsh_vad ***vads, int *vads_size)
{
    doca_error_t rc = doca_priv_apsh_check_process(process, vads, vads_size, __func__);
    struct doca_priv_apsh_snapshot *snapshot = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_vads(process, &snapshot, __func__);
    if (rc == DOCA_SUCCESS)
        doca_priv_apsh_snapshot_give(snapshot, vads, vads_size);
    return rc;
}

DOCA_CORE_DECL void doca_apsh_vads_free(struct doca_apsh_vad **vads)
{
    doca_priv_apsh_snapshot_free(vads, DOCA_PRIV_APSH_VADS, __func__);
}

DOCA_CORE_DECL doca_error_t doca_apsh_envars_get(struct doca_apsh_process *process,
                                                 struct doca_apsh_envar ***envars,
                                                 int *envars_size)
{
    doca_error_t rc = doca_priv_apsh_check_process(process, envars, envars_size, __func__);
    struct doca_priv_apsh_snapshot *snapshot = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_envars(process, &snapshot, __func__);
    if (rc == DOCA_SUCCESS)
        doca_priv_apsh_snapshot_give(snapshot, envars, envars_size);
    return rc;
}

DOCA_CORE_DECL void doca_apsh_envars_free(struct doca_apsh_envar **envars)
{
    doca_priv_apsh_snapshot_free(envars, DOCA_PRIV_APSH_ENVARS, __func__);
}

DOCA_CORE_DECL doca_error_t doca_apsh_attestation_get(struct doca_apsh_process *process,
                                                      const char *exec_hash_map_path,
                                                      struct doca_apsh_attestation ***attestation,
                                                      int *attestation_size)
{
    doca_error_t rc =
        doca_priv_apsh_check_process(process, exec_hash_map_path != NULL ? attestation : NULL,
                                     attestation_size, __func__);
    struct doca_priv_apsh_snapshot *snapshot = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_attest(process, exec_hash_map_path, &snapshot, __func__);
    if (rc == DOCA_SUCCESS)
        doca_priv_apsh_snapshot_give(snapshot, attestation, attestation_size);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_apsh_attst_refresh(struct doca_apsh_attestation ***attestation,
                                                    int *attestation_size)
{
    struct doca_priv_apsh_snapshot *old, *snapshot = NULL;
    doca_error_t rc;

    if (attestation == NULL || *attestation == NULL || attestation_size == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    old = doca_priv_apsh_snapshot_of(*attestation, DOCA_PRIV_APSH_ATTESTATIONS);
    if (old == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, __func__);
    if (!old->system->is_started)
        return DOCA_PRIV_APSH_FAIL(INITIALIZATION, APSH_NOT_STARTED, __func__);
    rc = doca_priv_apsh_attest_again(old, &snapshot, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_apsh_snapshot_give(snapshot, attestation, attestation_size);
    doca_priv_apsh_snapshot_end(old);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL void doca_apsh_attestation_free(struct doca_apsh_attestation **attestation)
{
    doca_priv_apsh_snapshot_free(attestation, DOCA_PRIV_APSH_ATTESTATIONS, __func__);
}

DOCA_CORE_DECL doca_error_t doca_apsh_yara_get(struct doca_apsh_process *process,
                                               enum doca_apsh_yara_rule **yara_rules_arr,
                                               uint32_t yara_rules_arr_size, uint64_t scan_type,
                                               struct doca_apsh_yara ***yara_matches,
                                               int *yara_matches_size)
{
    doca_error_t rc = doca_priv_apsh_check_process(
        process, yara_rules_arr != NULL ? yara_matches : NULL, yara_matches_size, __func__);
    struct doca_priv_apsh_snapshot *snapshot = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_yara(process, yara_rules_arr, yara_rules_arr_size, scan_type, &snapshot,
                                 __func__);
    if (rc == DOCA_SUCCESS)
        doca_priv_apsh_snapshot_give(snapshot, yara_matches, yara_matches_size);
    return rc;
}

DOCA_CORE_DECL void doca_apsh_yara_free(struct doca_apsh_yara **yara_matches)
{
    doca_priv_apsh_snapshot_free(yara_matches, DOCA_PRIV_APSH_MATCHES, __func__);
}

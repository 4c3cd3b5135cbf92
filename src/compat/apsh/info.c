/* ---- >>impl.apsh.info ------------------------------------------------------------------------
 * The functions behind the macros that read attributes. Lists that exist for Windows only have no
 * elements.                                                                                     */
#include "compat/apsh/info.h"

#include "compat/apsh/config.h"
#include "compat/apsh/object_priv.h"
#include "compat/apsh/snapshot_priv.h"

DOCA_CORE_DECL const void *__doca_apsh_attst_info_get(struct doca_apsh_attestation *attestation,
                                                      enum doca_apsh_attestation_attr attr)
{
    return doca_priv_apsh_get(attestation, DOCA_PRIV_APSH_ATTESTATIONS, (int)attr,
                              "doca_apsh_attst_info_get");
}

DOCA_CORE_DECL const void *__doca_apsh_lib_info_get(struct doca_apsh_lib *lib,
                                                    enum doca_apsh_lib_attr attr)
{
    return doca_priv_apsh_get(lib, DOCA_PRIV_APSH_LIBS, (int)attr,
                              "doca_apsh_lib_info_get");
}

DOCA_CORE_DECL const void *__doca_apsh_module_info_get(struct doca_apsh_module *module,
                                                       enum doca_apsh_module_attr attr)
{
    return doca_priv_apsh_get(module, DOCA_PRIV_APSH_MODULES, (int)attr,
                              "doca_apsh_module_info_get");
}

DOCA_CORE_DECL const void *__doca_apsh_process_info_get(struct doca_apsh_process *process,
                                                        enum doca_apsh_process_attr attr)
{
    return doca_priv_apsh_get(process, DOCA_PRIV_APSH_PROCESSES, (int)attr,
                              "doca_apsh_process_info_get");
}

DOCA_CORE_DECL const void *__doca_apsh_thread_info_get(struct doca_apsh_thread *thread,
                                                       enum doca_apsh_thread_attr attr)
{
    return doca_priv_apsh_get(thread, DOCA_PRIV_APSH_THREADS, (int)attr,
                              "doca_apsh_thread_info_get");
}

DOCA_CORE_DECL const void *__doca_apsh_vad_info_get(struct doca_apsh_vad *vad,
                                                    enum doca_apsh_vad_attr attr)
{
    return doca_priv_apsh_get(vad, DOCA_PRIV_APSH_VADS, (int)attr,
                              "doca_apsh_vad_info_get");
}

DOCA_CORE_DECL const void *__doca_apsh_yara_info_get(struct doca_apsh_yara *yara,
                                                     enum doca_apsh_yara_attr attr)
{
    return doca_priv_apsh_get(yara, DOCA_PRIV_APSH_MATCHES, (int)attr, "doca_apsh_yara_info_get");
}

DOCA_CORE_DECL const void *__doca_apsh_envar_info_get(struct doca_apsh_envar *envar,
                                                      enum doca_apsh_envar_attr attr)
{
    return doca_priv_apsh_get(envar, DOCA_PRIV_APSH_ENVARS, (int)attr, "doca_apsh_envar_info_get");
}

static const void *doca_priv_apsh_no_element(const char *function)
{
    (void)DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, function);
    return NULL;
}

DOCA_CORE_DECL const void *__doca_apsh_handle_info_get(struct doca_apsh_handle *handle,
                                                       enum doca_apsh_handle_attr attr)
{
    (void)handle;
    (void)attr;
    return doca_priv_apsh_no_element("doca_apsh_handle_info_get");
}

DOCA_CORE_DECL const void *__doca_apsh_injection_detect_info_get(
    struct doca_apsh_injection_detect *suspected_injection,
    enum doca_apsh_injection_detect_attr attr)
{
    (void)suspected_injection;
    (void)attr;
    return doca_priv_apsh_no_element("doca_apsh_injection_detect_info_get");
}

DOCA_CORE_DECL const void *__doca_apsh_ldrmodule_info_get(struct doca_apsh_ldrmodule *ldrmodule,
                                                          enum doca_apsh_ldrmodule_attr attr)
{
    (void)ldrmodule;
    (void)attr;
    return doca_priv_apsh_no_element("doca_apsh_ldrmodule_info_get");
}

DOCA_CORE_DECL const void *__doca_apsh_netscan_info_get(struct doca_apsh_netscan *connection,
                                                        enum doca_apsh_netscan_attr attr)
{
    (void)connection;
    (void)attr;
    return doca_priv_apsh_no_element("doca_apsh_netscan_info_get");
}

DOCA_CORE_DECL const void *__doca_apsh_privilege_info_get(struct doca_apsh_privilege *privilege,
                                                          enum doca_apsh_privilege_attr attr)
{
    (void)privilege;
    (void)attr;
    return doca_priv_apsh_no_element("doca_apsh_privilege_info_get");
}

DOCA_CORE_DECL const void *__doca_apsh_process_parameters_info_get(
    struct doca_apsh_process_parameters *process_parameters,
    enum doca_apsh_process_parameters_attr attr)
{
    (void)process_parameters;
    (void)attr;
    return doca_priv_apsh_no_element("doca_apsh_process_parameters_info_get");
}

DOCA_CORE_DECL const void *__doca_apsh_sid_info_get(struct doca_apsh_sid *sid,
                                                    enum doca_apsh_sid_attr attr)
{
    (void)sid;
    (void)attr;
    return doca_priv_apsh_no_element("doca_apsh_sid_info_get");
}

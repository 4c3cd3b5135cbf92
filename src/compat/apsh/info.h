/* ---- >>apsh.info -----------------------------------------------------------------------------
 * Attributes of elements, and settings of systems. Programs use the macros, whose second argument
 * is an enumerator itself, not a variable: the macro appends _TYPE to it for the type of the value.
 * The functions behind the macros return the value as a pointer. A string belongs to the element.
 * Source: API reference, "DOCA App Shield".                                                     */
#ifndef DOCA_SRC_COMPAT_APSH_INFO_H
#define DOCA_SRC_COMPAT_APSH_INFO_H

#include "compat/apsh/attr.h"
#include "compat/apsh/config.h"
#include "compat/apsh/list.h"
#include "compat/apsh/windows.h"

DOCA_CORE_DECL const void *__doca_apsh_attst_info_get(struct doca_apsh_attestation *attestation,
                                                      enum doca_apsh_attestation_attr attr);
DOCA_CORE_DECL const void *__doca_apsh_envar_info_get(struct doca_apsh_envar *envar,
                                                      enum doca_apsh_envar_attr attr);
DOCA_CORE_DECL const void *__doca_apsh_handle_info_get(struct doca_apsh_handle *handle,
                                                       enum doca_apsh_handle_attr attr);
DOCA_CORE_DECL const void *__doca_apsh_injection_detect_info_get(
    struct doca_apsh_injection_detect *suspected_injection,
    enum doca_apsh_injection_detect_attr attr);
DOCA_CORE_DECL const void *__doca_apsh_ldrmodule_info_get(struct doca_apsh_ldrmodule *ldrmodule,
                                                          enum doca_apsh_ldrmodule_attr attr);
DOCA_CORE_DECL const void *__doca_apsh_lib_info_get(struct doca_apsh_lib *lib,
                                                    enum doca_apsh_lib_attr attr);
DOCA_CORE_DECL const void *__doca_apsh_module_info_get(struct doca_apsh_module *module,
                                                       enum doca_apsh_module_attr attr);
DOCA_CORE_DECL const void *__doca_apsh_netscan_info_get(struct doca_apsh_netscan *connection,
                                                        enum doca_apsh_netscan_attr attr);
DOCA_CORE_DECL const void *__doca_apsh_privilege_info_get(struct doca_apsh_privilege *privilege,
                                                          enum doca_apsh_privilege_attr attr);
DOCA_CORE_DECL const void *__doca_apsh_process_info_get(struct doca_apsh_process *process,
                                                        enum doca_apsh_process_attr attr);
DOCA_CORE_DECL const void *__doca_apsh_process_parameters_info_get(
    struct doca_apsh_process_parameters *process_parameters,
    enum doca_apsh_process_parameters_attr attr);
DOCA_CORE_DECL const void *__doca_apsh_sid_info_get(struct doca_apsh_sid *sid,
                                                    enum doca_apsh_sid_attr attr);
DOCA_CORE_DECL const void *__doca_apsh_thread_info_get(struct doca_apsh_thread *thread,
                                                       enum doca_apsh_thread_attr attr);
DOCA_CORE_DECL const void *__doca_apsh_vad_info_get(struct doca_apsh_vad *vad,
                                                    enum doca_apsh_vad_attr attr);
DOCA_CORE_DECL const void *__doca_apsh_yara_info_get(struct doca_apsh_yara *yara,
                                                     enum doca_apsh_yara_attr attr);

/* Set one setting of a system. The value has the type that is called `attr` with _TYPE appended;
 * LDRMODULES_LIMIT and HANDLES_LIMIT have no such type: their value is an int. Limits are at least
 * 1. The other attributes do the same as the calls of >>apsh.system.
 *
 * A walk ends when it has as many items as its limit, and the call succeeds with these items:
 *   PROCESS_LIMIT         processes
 *   MODULES_LIMIT         modules
 *   THREADS_LIMIT         threads of a process; also the threads that count for its CPU_TIME
 *   VADS_LIMIT            areas of a process; also the areas that libraries, attestations and
 *                         scans search
 *   LIBS_LIMIT            libraries of a process
 *   HASHTEST_LIMIT        areas that an attestation compares
 *   WINDOWS_ENVARS_LIMIT  variables of a process
 *   STRING_LIMIT          bytes of a string, with its NUL
 * LDRMODULES_LIMIT and HANDLES_LIMIT are stored; no call for Linux has such items.
 *
 * Errors    INVALID_VALUE  `system` is NULL, `attr` is unknown, or the value is invalid
 *           NOT_SUPPORTED  the target runs Windows, or the type of operating system is unknown
 *           NO_MEMORY      the arena is exhausted
 *           BAD_STATE      the system is started */
DOCA_CORE_DECL doca_error_t __doca_apsh_sys_config(struct doca_apsh_system *system,
                                                   enum doca_apsh_system_config_attr attr,
                                                   void *value);

#define doca_apsh_attst_info_get(attestation, attr)                                                \
    ((attr##_TYPE)(uintptr_t)__doca_apsh_attst_info_get(attestation, attr))
#define doca_apsh_envar_info_get(envar, attr)                                                      \
    ((attr##_TYPE)(uintptr_t)__doca_apsh_envar_info_get(envar, attr))
#define doca_apsh_handle_info_get(handle, attr)                                                    \
    ((attr##_TYPE)(uintptr_t)__doca_apsh_handle_info_get(handle, attr))
#define doca_apsh_injection_detect_info_get(suspected_injection, attr)                             \
    ((attr##_TYPE)(uintptr_t)__doca_apsh_injection_detect_info_get(suspected_injection, attr))
#define doca_apsh_ldrmodule_info_get(ldrmodule, attr)                                              \
    ((attr##_TYPE)(uintptr_t)__doca_apsh_ldrmodule_info_get(ldrmodule, attr))
#define doca_apsh_lib_info_get(lib, attr)                                                          \
    ((attr##_TYPE)(uintptr_t)__doca_apsh_lib_info_get(lib, attr))
#define doca_apsh_module_info_get(module, attr)                                                    \
    ((attr##_TYPE)(uintptr_t)__doca_apsh_module_info_get(module, attr))
#define doca_apsh_netscan_info_get(connection, attr)                                               \
    ((attr##_TYPE)(uintptr_t)__doca_apsh_netscan_info_get(connection, attr))
#define doca_apsh_privilege_info_get(privilege, attr)                                              \
    ((attr##_TYPE)(uintptr_t)__doca_apsh_privilege_info_get(privilege, attr))
#define doca_apsh_process_info_get(process, attr)                                                  \
    ((attr##_TYPE)(uintptr_t)__doca_apsh_process_info_get(process, attr))
#define doca_apsh_process_parameters_info_get(process_parameters, attr)                            \
    ((attr##_TYPE)(uintptr_t)__doca_apsh_process_parameters_info_get(process_parameters, attr))
#define doca_apsh_sid_info_get(sid, attr)                                                          \
    ((attr##_TYPE)(uintptr_t)__doca_apsh_sid_info_get(sid, attr))
#define doca_apsh_thread_info_get(thread, attr)                                                    \
    ((attr##_TYPE)(uintptr_t)__doca_apsh_thread_info_get(thread, attr))
#define doca_apsh_vad_info_get(vad, attr)                                                          \
    ((attr##_TYPE)(uintptr_t)__doca_apsh_vad_info_get(vad, attr))
#define doca_apsh_yara_info_get(yara, attr)                                                        \
    ((attr##_TYPE)(uintptr_t)__doca_apsh_yara_info_get(yara, attr))
#define doca_apsh_sys_config(system, attr, value)                                                  \
    (__doca_apsh_sys_config(system, attr, (void *)((uintptr_t)(value))))

#endif

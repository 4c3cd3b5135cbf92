/* ---- >>apsh.windows --------------------------------------------------------------------------
 * Lists of 2.5.1 that exist only for Windows. With valid arguments each call logs one line and
 * returns NOT_SUPPORTED; an argument that is NULL gives INVALID_VALUE. For a system that is not
 * started, doca_apsh_netscan_get() returns BAD_STATE. The outputs are not changed, so there is
 * nothing to free: the _free calls do nothing.
 * Source: API reference, "DOCA App Shield".                                                     */
#ifndef DOCA_SRC_COMPAT_APSH_WINDOWS_H
#define DOCA_SRC_COMPAT_APSH_WINDOWS_H

#include "compat/apsh/attr.h"
#include "compat/apsh/config.h"

struct doca_apsh_system;
struct doca_apsh_process;
struct doca_apsh_process_parameters;
struct doca_apsh_handle;
struct doca_apsh_ldrmodule;
struct doca_apsh_privilege;
struct doca_apsh_sid;
struct doca_apsh_netscan;
struct doca_apsh_injection_detect;

DOCA_CORE_DECL doca_error_t doca_apsh_netscan_get(struct doca_apsh_system *system,
                                                  struct doca_apsh_netscan ***connections,
                                                  int *connections_size);
DOCA_CORE_DECL void doca_apsh_netscan_free(struct doca_apsh_netscan **connections);
DOCA_CORE_DECL doca_error_t doca_apsh_handles_get(struct doca_apsh_process *process,
                                                  struct doca_apsh_handle ***handles,
                                                  int *handles_size);
DOCA_CORE_DECL void doca_apsh_handles_free(struct doca_apsh_handle **handles);
DOCA_CORE_DECL doca_error_t doca_apsh_ldrmodules_get(struct doca_apsh_process *process,
                                                     struct doca_apsh_ldrmodule ***ldrmodules,
                                                     int *ldrmodules_size);
DOCA_CORE_DECL void doca_apsh_ldrmodules_free(struct doca_apsh_ldrmodule **ldrmodules);
DOCA_CORE_DECL doca_error_t doca_apsh_privileges_get(struct doca_apsh_process *process,
                                                     struct doca_apsh_privilege ***privileges,
                                                     int *privileges_size);
DOCA_CORE_DECL void doca_apsh_privileges_free(struct doca_apsh_privilege **privileges);
DOCA_CORE_DECL doca_error_t doca_apsh_sids_get(struct doca_apsh_process *process,
                                               struct doca_apsh_sid ***sids, int *sids_size);
DOCA_CORE_DECL void doca_apsh_sids_free(struct doca_apsh_sid **sids);
DOCA_CORE_DECL doca_error_t doca_apsh_process_parameters_get(
    struct doca_apsh_process *process, struct doca_apsh_process_parameters **process_parameters);
DOCA_CORE_DECL void doca_apsh_process_parameters_free(
    struct doca_apsh_process_parameters *process_parameters);
DOCA_CORE_DECL doca_error_t doca_apsh_injection_detect_get(
    struct doca_apsh_process *process, struct doca_apsh_injection_detect ***suspected_injections,
    int *suspected_injections_size);
DOCA_CORE_DECL void doca_apsh_injection_detect_free(
    struct doca_apsh_injection_detect **suspected_injections);

#endif

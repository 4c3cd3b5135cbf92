/* Every function of App Shield 2.5.1, declared once more as the reference documents it: a signature
 * that differs does not compile, a function that is missing does not link. Then the values of the
 * enumerators, and the types of the attributes. */
#include "doca_core_apsh.h"
#include "doca_test.h"

/* functions: 61 */
struct doca_apsh_ctx *doca_apsh_create(void);
void doca_apsh_destroy(struct doca_apsh_ctx *ctx);
doca_error_t doca_apsh_dma_dev_set(struct doca_apsh_ctx *ctx, struct doca_dev *dma_dev);
doca_error_t doca_apsh_start(struct doca_apsh_ctx *ctx);
struct doca_apsh_system *doca_apsh_system_create(struct doca_apsh_ctx *ctx);
void doca_apsh_system_destroy(struct doca_apsh_system *system);
doca_error_t doca_apsh_sys_dev_set(struct doca_apsh_system *system, struct doca_dev_rep *dev);
doca_error_t doca_apsh_sys_os_type_set(struct doca_apsh_system *system,
    enum doca_apsh_system_os os_type);
doca_error_t doca_apsh_sys_os_symbol_map_set(struct doca_apsh_system *system,
    const char *system_os_symbol_map_path);
doca_error_t doca_apsh_sys_mem_region_set(struct doca_apsh_system *system,
    const char *system_mem_region_path);
doca_error_t doca_apsh_sys_kpgd_file_set(struct doca_apsh_system *system,
    const char *system_kpgd_file_path);
doca_error_t doca_apsh_sys_set_scan_window_size(struct doca_apsh_system *system,
    uint32_t scan_window_size);
doca_error_t doca_apsh_sys_set_scan_window_step(struct doca_apsh_system *system,
    uint32_t scan_window_step);
doca_error_t doca_apsh_system_start(struct doca_apsh_system *system);
doca_error_t doca_apsh_processes_get(struct doca_apsh_system *system,
    struct doca_apsh_process ***processes, int *processes_size);
void doca_apsh_processes_free(struct doca_apsh_process **processes);
doca_error_t doca_apsh_modules_get(struct doca_apsh_system *system,
    struct doca_apsh_module ***modules, int *modules_size);
void doca_apsh_module_free(struct doca_apsh_module **modules);
doca_error_t doca_apsh_netscan_get(struct doca_apsh_system *system,
    struct doca_apsh_netscan ***connections, int *connections_size);
void doca_apsh_netscan_free(struct doca_apsh_netscan **connections);
doca_error_t doca_apsh_libs_get(struct doca_apsh_process *process, struct doca_apsh_lib ***libs,
    int *libs_size);
void doca_apsh_libs_free(struct doca_apsh_lib **libs);
doca_error_t doca_apsh_threads_get(struct doca_apsh_process *process,
    struct doca_apsh_thread ***threads, int *threads_size);
void doca_apsh_threads_free(struct doca_apsh_thread **threads);
doca_error_t doca_apsh_vads_get(struct doca_apsh_process *process, struct doca_apsh_vad ***vads,
    int *vads_size);
void doca_apsh_vads_free(struct doca_apsh_vad **vads);
doca_error_t doca_apsh_attestation_get(struct doca_apsh_process *process,
    const char *exec_hash_map_path, struct doca_apsh_attestation ***attestation,
    int *attestation_size);
doca_error_t doca_apsh_attst_refresh(struct doca_apsh_attestation ***attestation,
    int *attestation_size);
void doca_apsh_attestation_free(struct doca_apsh_attestation **attestation);
doca_error_t doca_apsh_envars_get(struct doca_apsh_process *process,
    struct doca_apsh_envar ***envars, int *envars_size);
void doca_apsh_envars_free(struct doca_apsh_envar **envars);
doca_error_t doca_apsh_handles_get(struct doca_apsh_process *process,
    struct doca_apsh_handle ***handles, int *handles_size);
void doca_apsh_handles_free(struct doca_apsh_handle **handles);
doca_error_t doca_apsh_ldrmodules_get(struct doca_apsh_process *process,
    struct doca_apsh_ldrmodule ***ldrmodules, int *ldrmodules_size);
void doca_apsh_ldrmodules_free(struct doca_apsh_ldrmodule **ldrmodules);
doca_error_t doca_apsh_privileges_get(struct doca_apsh_process *process,
    struct doca_apsh_privilege ***privileges, int *privileges_size);
void doca_apsh_privileges_free(struct doca_apsh_privilege **privileges);
doca_error_t doca_apsh_sids_get(struct doca_apsh_process *process, struct doca_apsh_sid ***sids,
    int *sids_size);
void doca_apsh_sids_free(struct doca_apsh_sid **sids);
doca_error_t doca_apsh_process_parameters_get(struct doca_apsh_process *process,
    struct doca_apsh_process_parameters **process_parameters);
void doca_apsh_process_parameters_free(struct doca_apsh_process_parameters *process_parameters);
doca_error_t doca_apsh_injection_detect_get(struct doca_apsh_process *process,
    struct doca_apsh_injection_detect ***suspected_injections, int *suspected_injections_size);
void doca_apsh_injection_detect_free(struct doca_apsh_injection_detect **suspected_injections);
doca_error_t doca_apsh_yara_get(struct doca_apsh_process *process,
    enum doca_apsh_yara_rule **yara_rules_arr, uint32_t yara_rules_arr_size, uint64_t scan_type,
    struct doca_apsh_yara ***yara_matches, int *yara_matches_size);
void doca_apsh_yara_free(struct doca_apsh_yara **yara_matches);
const void *__doca_apsh_attst_info_get(struct doca_apsh_attestation *attestation,
    enum doca_apsh_attestation_attr attr);
const void *__doca_apsh_envar_info_get(struct doca_apsh_envar *envar,
    enum doca_apsh_envar_attr attr);
const void *__doca_apsh_handle_info_get(struct doca_apsh_handle *handle,
    enum doca_apsh_handle_attr attr);
const void *__doca_apsh_injection_detect_info_get(
    struct doca_apsh_injection_detect *suspected_injection,
    enum doca_apsh_injection_detect_attr attr);
const void *__doca_apsh_ldrmodule_info_get(struct doca_apsh_ldrmodule *ldrmodule,
    enum doca_apsh_ldrmodule_attr attr);
const void *__doca_apsh_lib_info_get(struct doca_apsh_lib *lib, enum doca_apsh_lib_attr attr);
const void *__doca_apsh_module_info_get(struct doca_apsh_module *module,
    enum doca_apsh_module_attr attr);
const void *__doca_apsh_netscan_info_get(struct doca_apsh_netscan *connection,
    enum doca_apsh_netscan_attr attr);
const void *__doca_apsh_privilege_info_get(struct doca_apsh_privilege *privilege,
    enum doca_apsh_privilege_attr attr);
const void *__doca_apsh_process_info_get(struct doca_apsh_process *process,
    enum doca_apsh_process_attr attr);
const void *__doca_apsh_process_parameters_info_get(
    struct doca_apsh_process_parameters *process_parameters,
    enum doca_apsh_process_parameters_attr attr);
const void *__doca_apsh_sid_info_get(struct doca_apsh_sid *sid, enum doca_apsh_sid_attr attr);
doca_error_t __doca_apsh_sys_config(struct doca_apsh_system *system,
    enum doca_apsh_system_config_attr attr, void *value);
const void *__doca_apsh_thread_info_get(struct doca_apsh_thread *thread,
    enum doca_apsh_thread_attr attr);
const void *__doca_apsh_vad_info_get(struct doca_apsh_vad *vad, enum doca_apsh_vad_attr attr);
const void *__doca_apsh_yara_info_get(struct doca_apsh_yara *yara, enum doca_apsh_yara_attr attr);

static void every_function_is_there(void)
{
    static void (*const functions[])(void) = {
        (void (*)(void))doca_apsh_create,
        (void (*)(void))doca_apsh_destroy,
        (void (*)(void))doca_apsh_dma_dev_set,
        (void (*)(void))doca_apsh_start,
        (void (*)(void))doca_apsh_system_create,
        (void (*)(void))doca_apsh_system_destroy,
        (void (*)(void))doca_apsh_sys_dev_set,
        (void (*)(void))doca_apsh_sys_os_type_set,
        (void (*)(void))doca_apsh_sys_os_symbol_map_set,
        (void (*)(void))doca_apsh_sys_mem_region_set,
        (void (*)(void))doca_apsh_sys_kpgd_file_set,
        (void (*)(void))doca_apsh_sys_set_scan_window_size,
        (void (*)(void))doca_apsh_sys_set_scan_window_step,
        (void (*)(void))doca_apsh_system_start,
        (void (*)(void))doca_apsh_processes_get,
        (void (*)(void))doca_apsh_processes_free,
        (void (*)(void))doca_apsh_modules_get,
        (void (*)(void))doca_apsh_module_free,
        (void (*)(void))doca_apsh_netscan_get,
        (void (*)(void))doca_apsh_netscan_free,
        (void (*)(void))doca_apsh_libs_get,
        (void (*)(void))doca_apsh_libs_free,
        (void (*)(void))doca_apsh_threads_get,
        (void (*)(void))doca_apsh_threads_free,
        (void (*)(void))doca_apsh_vads_get,
        (void (*)(void))doca_apsh_vads_free,
        (void (*)(void))doca_apsh_attestation_get,
        (void (*)(void))doca_apsh_attst_refresh,
        (void (*)(void))doca_apsh_attestation_free,
        (void (*)(void))doca_apsh_envars_get,
        (void (*)(void))doca_apsh_envars_free,
        (void (*)(void))doca_apsh_handles_get,
        (void (*)(void))doca_apsh_handles_free,
        (void (*)(void))doca_apsh_ldrmodules_get,
        (void (*)(void))doca_apsh_ldrmodules_free,
        (void (*)(void))doca_apsh_privileges_get,
        (void (*)(void))doca_apsh_privileges_free,
        (void (*)(void))doca_apsh_sids_get,
        (void (*)(void))doca_apsh_sids_free,
        (void (*)(void))doca_apsh_process_parameters_get,
        (void (*)(void))doca_apsh_process_parameters_free,
        (void (*)(void))doca_apsh_injection_detect_get,
        (void (*)(void))doca_apsh_injection_detect_free,
        (void (*)(void))doca_apsh_yara_get,
        (void (*)(void))doca_apsh_yara_free,
        (void (*)(void))__doca_apsh_attst_info_get,
        (void (*)(void))__doca_apsh_envar_info_get,
        (void (*)(void))__doca_apsh_handle_info_get,
        (void (*)(void))__doca_apsh_injection_detect_info_get,
        (void (*)(void))__doca_apsh_ldrmodule_info_get,
        (void (*)(void))__doca_apsh_lib_info_get,
        (void (*)(void))__doca_apsh_module_info_get,
        (void (*)(void))__doca_apsh_netscan_info_get,
        (void (*)(void))__doca_apsh_privilege_info_get,
        (void (*)(void))__doca_apsh_process_info_get,
        (void (*)(void))__doca_apsh_process_parameters_info_get,
        (void (*)(void))__doca_apsh_sid_info_get,
        (void (*)(void))__doca_apsh_sys_config,
        (void (*)(void))__doca_apsh_thread_info_get,
        (void (*)(void))__doca_apsh_vad_info_get,
        (void (*)(void))__doca_apsh_yara_info_get,
    };

    CHECK_EQ(sizeof(functions) / sizeof(functions[0]), 61);
}

/* value types: 116 */
#define IS_TYPE(name, type)                                                                        \
    _Static_assert(_Generic((name *)NULL, type *: 1, default: 0) == 1, #name)
IS_TYPE(DOCA_APSH_OS_SYMBOL_MAP_TYPE, char *);
IS_TYPE(DOCA_APSH_MEM_REGION_TYPE, char *);
IS_TYPE(DOCA_APSH_KPGD_FILE_TYPE, char *);
IS_TYPE(DOCA_APSH_VHCA_ID_TYPE, struct doca_dev_rep *);
IS_TYPE(DOCA_APSH_OS_TYPE_TYPE, enum doca_apsh_system_os);
IS_TYPE(DOCA_APSH_SCAN_WIN_SIZE_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_SCAN_WIN_STEP_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_HASHTEST_LIMIT_TYPE, int);
IS_TYPE(DOCA_APSH_MODULES_LIMIT_TYPE, int);
IS_TYPE(DOCA_APSH_PROCESS_LIMIT_TYPE, int);
IS_TYPE(DOCA_APSH_THREADS_LIMIT_TYPE, int);
IS_TYPE(DOCA_APSH_LIBS_LIMIT_TYPE, int);
IS_TYPE(DOCA_APSH_VADS_LIMIT_TYPE, int);
IS_TYPE(DOCA_APSH_WINDOWS_ENVARS_LIMIT_TYPE, int);
IS_TYPE(DOCA_APSH_STRING_LIMIT_TYPE, int);
IS_TYPE(DOCA_APSH_PROCESS_PID_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_PROCESS_PPID_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_PROCESS_COMM_TYPE, char *);
IS_TYPE(DOCA_APSH_PROCESS_CPU_TIME_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_PROCESS_WINDOWS_OFFSET_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_PROCESS_WINDOWS_THREADS_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_PROCESS_WINDOWS_EXIT_TIME_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_PROCESS_LINUX_GID_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_PROCESS_LINUX_UID_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_PROCESS_LINUX_STATE_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_PROCESS_PARAMETERS_PID_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_PROCESS_PARAMETERS_CMD_LINE_TYPE, char *);
IS_TYPE(DOCA_APSH_PROCESS_PARAMETERS_IMAGE_BASE_ADDR_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_PROCESS_PARAMETERS_IMAGE_FULL_PATH_TYPE, char *);
IS_TYPE(DOCA_APSH_MODULES_OFFSET_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_MODULES_NAME_TYPE, char *);
IS_TYPE(DOCA_APSH_MODULES_SIZE_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_LIB_PID_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_LIB_LIBRARY_PATH_TYPE, char *);
IS_TYPE(DOCA_APSH_LIB_LOAD_ADRESS_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_LIB_WINDOWS_DLL_NAME_TYPE, char *);
IS_TYPE(DOCA_APSH_LIB_WINDOWS_SIZE_OF_IMAGE_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_LIB_LINUX_LOAD_ADRESS_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_THREAD_PID_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_THREAD_TID_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_THREAD_STATE_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_THREAD_WINDOWS_WAIT_REASON_TYPE, uint8_t);
IS_TYPE(DOCA_APSH_THREAD_WINDOWS_OFFSET_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_THREAD_WINDOWS_SUSPEND_COUNT_TYPE, uint8_t);
IS_TYPE(DOCA_APSH_THREAD_LINUX_PROC_NAME_TYPE, char *);
IS_TYPE(DOCA_APSH_THREAD_LINUX_THREAD_NAME_TYPE, char *);
IS_TYPE(DOCA_APSH_VMA_PID_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_VMA_OFFSET_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_VMA_PROTECTION_TYPE, char *);
IS_TYPE(DOCA_APSH_VMA_VM_START_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_VMA_VM_END_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_VMA_PROCESS_NAME_TYPE, char *);
IS_TYPE(DOCA_APSH_VMA_FILE_PATH_TYPE, char *);
IS_TYPE(DOCA_APSH_VMA_WINDOWS_COMMIT_CHARGE_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_VMA_WINDOWS_PRIVATE_MEMORY_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_VMA_WINDOWS_TAG_TYPE, char *);
IS_TYPE(DOCA_APSH_ENVARS_PID_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_ENVARS_VARIABLE_TYPE, char *);
IS_TYPE(DOCA_APSH_ENVARS_VALUE_TYPE, char *);
IS_TYPE(DOCA_APSH_ENVARS_WINDOWS_BLOCK_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_HANDLE_PID_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_HANDLE_VALUE_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_HANDLE_TABLE_ENTRY_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_HANDLE_TYPE_TYPE, char *);
IS_TYPE(DOCA_APSH_HANDLE_ACCESS_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_HANDLE_NAME_TYPE, char *);
IS_TYPE(DOCA_APSH_LDRMODULE_PID_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_LDRMODULE_BASE_ADDRESS_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_LDRMODULE_LIBRARY_PATH_TYPE, char *);
IS_TYPE(DOCA_APSH_LDRMODULE_WINDOWS_DLL_NAME_TYPE, char *);
IS_TYPE(DOCA_APSH_LDRMODULE_WINDOWS_SIZE_OF_IMAGE_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_LDRMODULE_WINDOWS_INLOAD_TYPE, bool);
IS_TYPE(DOCA_APSH_LDRMODULE_WINDOWS_INMEM_TYPE, bool);
IS_TYPE(DOCA_APSH_LDRMODULE_WINDOWS_ININIT_TYPE, bool);
IS_TYPE(DOCA_APSH_PRIVILEGES_PID_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_PRIVILEGES_NAME_TYPE, char *);
IS_TYPE(DOCA_APSH_PRIVILEGES_IS_ON_TYPE, bool);
IS_TYPE(DOCA_APSH_PRIVILEGES_WINDOWS_PRESENT_TYPE, bool);
IS_TYPE(DOCA_APSH_PRIVILEGES_WINDOWS_ENABLED_TYPE, bool);
IS_TYPE(DOCA_APSH_PRIVILEGES_WINDOWS_DEFAULT_TYPE, bool);
IS_TYPE(DOCA_APSH_PROCESS_SID_PID_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_PROCESS_SID_STRING_TYPE, char *);
IS_TYPE(DOCA_APSH_PROCESS_SID_ATTRIBUTES_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_NETSCAN_PID_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_NETSCAN_COMM_TYPE, char *);
IS_TYPE(DOCA_APSH_NETSCAN_PROTOCOL_TYPE, char *);
IS_TYPE(DOCA_APSH_NETSCAN_LOCAL_ADDR_TYPE, char *);
IS_TYPE(DOCA_APSH_NETSCAN_REMOTE_ADDR_TYPE, char *);
IS_TYPE(DOCA_APSH_NETSCAN_LOCAL_PORT_TYPE, uint16_t);
IS_TYPE(DOCA_APSH_NETSCAN_REMOTE_PORT_TYPE, uint16_t);
IS_TYPE(DOCA_APSH_NETSCAN_STATE_TYPE, char *);
IS_TYPE(DOCA_APSH_NETSCAN_TIME_TYPE, char *);
IS_TYPE(DOCA_APSH_INJECTION_DETECT_PID_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_INJECTION_DETECT_VAD_START_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_INJECTION_DETECT_VAD_END_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_INJECTION_DETECT_VAD_PROTECTION_TYPE, char *);
IS_TYPE(DOCA_APSH_INJECTION_DETECT_VAD_TAG_TYPE, char *);
IS_TYPE(DOCA_APSH_INJECTION_DETECT_VAD_FILE_PATH_TYPE, char *);
IS_TYPE(DOCA_APSH_INJECTION_DETECT_SUSPECTED_AREA_START_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_INJECTION_DETECT_SUSPECTED_AREA_END_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_ATTESTATION_PID_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_ATTESTATION_COMM_TYPE, char *);
IS_TYPE(DOCA_APSH_ATTESTATION_PATH_OF_MEMORY_AREA_TYPE, char *);
IS_TYPE(DOCA_APSH_ATTESTATION_PROTECTION_TYPE, char *);
IS_TYPE(DOCA_APSH_ATTESTATION_START_ADDRESS_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_ATTESTATION_END_ADDRESS_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_ATTESTATION_PAGES_NUMBER_TYPE, int);
IS_TYPE(DOCA_APSH_ATTESTATION_PAGES_PRESENT_TYPE, int);
IS_TYPE(DOCA_APSH_ATTESTATION_MATCHING_HASHES_TYPE, int);
IS_TYPE(DOCA_APSH_ATTESTATION_HASH_DATA_IS_PRESENT_TYPE, bool);
IS_TYPE(DOCA_APSH_YARA_PID_TYPE, uint32_t);
IS_TYPE(DOCA_APSH_YARA_COMM_TYPE, char *);
IS_TYPE(DOCA_APSH_YARA_RULE_TYPE, char *);
IS_TYPE(DOCA_APSH_YARA_MATCH_WINDOW_ADDR_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_YARA_MATCH_WINDOW_LEN_TYPE, uint64_t);
IS_TYPE(DOCA_APSH_DMA_DEV_TYPE, struct doca_dev *);

#define ROW(name, value) { #name, name, value }

static void every_value_is_the_vendors(void)
{
    static const struct {
        const char *name;
        int value, want;
    } rows[] = {
        ROW(DOCA_APSH_SYSTEM_LINUX, 0),
        ROW(DOCA_APSH_SYSTEM_WINDOWS, 1),
        ROW(DOCA_APSH_OS_SYMBOL_MAP, 0),
        ROW(DOCA_APSH_MEM_REGION, 1),
        ROW(DOCA_APSH_KPGD_FILE, 2),
        ROW(DOCA_APSH_VHCA_ID, 3),
        ROW(DOCA_APSH_OS_TYPE, 4),
        ROW(DOCA_APSH_SCAN_WIN_SIZE, 5),
        ROW(DOCA_APSH_SCAN_WIN_STEP, 6),
        ROW(DOCA_APSH_HASHTEST_LIMIT, 7),
        ROW(DOCA_APSH_MODULES_LIMIT, 8),
        ROW(DOCA_APSH_PROCESS_LIMIT, 9),
        ROW(DOCA_APSH_THREADS_LIMIT, 10),
        ROW(DOCA_APSH_LDRMODULES_LIMIT, 11),
        ROW(DOCA_APSH_LIBS_LIMIT, 12),
        ROW(DOCA_APSH_VADS_LIMIT, 13),
        ROW(DOCA_APSH_WINDOWS_ENVARS_LIMIT, 14),
        ROW(DOCA_APSH_HANDLES_LIMIT, 15),
        ROW(DOCA_APSH_STRING_LIMIT, 16),
        ROW(DOCA_APSH_PROCESS_PID, 0),
        ROW(DOCA_APSH_PROCESS_PPID, 1),
        ROW(DOCA_APSH_PROCESS_COMM, 2),
        ROW(DOCA_APSH_PROCESS_CPU_TIME, 3),
        ROW(DOCA_APSH_PROCESS_WINDOWS_OFFSET, 1000),
        ROW(DOCA_APSH_PROCESS_WINDOWS_THREADS, 1001),
        ROW(DOCA_APSH_PROCESS_WINDOWS_EXIT_TIME, 1002),
        ROW(DOCA_APSH_PROCESS_LINUX_GID, 2000),
        ROW(DOCA_APSH_PROCESS_LINUX_UID, 2001),
        ROW(DOCA_APSH_PROCESS_LINUX_STATE, 2002),
        ROW(DOCA_APSH_PROCESS_PARAMETERS_PID, 0),
        ROW(DOCA_APSH_PROCESS_PARAMETERS_CMD_LINE, 1),
        ROW(DOCA_APSH_PROCESS_PARAMETERS_IMAGE_BASE_ADDR, 2),
        ROW(DOCA_APSH_PROCESS_PARAMETERS_IMAGE_FULL_PATH, 3),
        ROW(DOCA_APSH_MODULES_OFFSET, 0),
        ROW(DOCA_APSH_MODULES_NAME, 1),
        ROW(DOCA_APSH_MODULES_SIZE, 2),
        ROW(DOCA_APSH_LIB_PID, 0),
        ROW(DOCA_APSH_LIB_LIBRARY_PATH, 2),
        ROW(DOCA_APSH_LIB_LOAD_ADRESS, 3),
        ROW(DOCA_APSH_LIB_WINDOWS_DLL_NAME, 1000),
        ROW(DOCA_APSH_LIB_WINDOWS_SIZE_OF_IMAGE, 1001),
        ROW(DOCA_APSH_LIB_LINUX_LOAD_ADRESS, 2000),
        ROW(DOCA_APSH_THREAD_PID, 0),
        ROW(DOCA_APSH_THREAD_TID, 1),
        ROW(DOCA_APSH_THREAD_STATE, 2),
        ROW(DOCA_APSH_THREAD_WINDOWS_WAIT_REASON, 1000),
        ROW(DOCA_APSH_THREAD_WINDOWS_OFFSET, 1001),
        ROW(DOCA_APSH_THREAD_WINDOWS_SUSPEND_COUNT, 1002),
        ROW(DOCA_APSH_THREAD_LINUX_PROC_NAME, 2000),
        ROW(DOCA_APSH_THREAD_LINUX_THREAD_NAME, 2001),
        ROW(DOCA_APSH_VMA_PID, 0),
        ROW(DOCA_APSH_VMA_OFFSET, 1),
        ROW(DOCA_APSH_VMA_PROTECTION, 2),
        ROW(DOCA_APSH_VMA_VM_START, 3),
        ROW(DOCA_APSH_VMA_VM_END, 4),
        ROW(DOCA_APSH_VMA_PROCESS_NAME, 5),
        ROW(DOCA_APSH_VMA_FILE_PATH, 6),
        ROW(DOCA_APSH_VMA_WINDOWS_COMMIT_CHARGE, 1000),
        ROW(DOCA_APSH_VMA_WINDOWS_PRIVATE_MEMORY, 1001),
        ROW(DOCA_APSH_VMA_WINDOWS_TAG, 1002),
        ROW(DOCA_APSH_ENVARS_PID, 0),
        ROW(DOCA_APSH_ENVARS_VARIABLE, 2),
        ROW(DOCA_APSH_ENVARS_VALUE, 3),
        ROW(DOCA_APSH_ENVARS_WINDOWS_BLOCK, 1000),
        ROW(DOCA_APSH_HANDLE_PID, 0),
        ROW(DOCA_APSH_HANDLE_VALUE, 2),
        ROW(DOCA_APSH_HANDLE_TABLE_ENTRY, 3),
        ROW(DOCA_APSH_HANDLE_TYPE, 4),
        ROW(DOCA_APSH_HANDLE_ACCESS, 5),
        ROW(DOCA_APSH_HANDLE_NAME, 6),
        ROW(DOCA_APSH_LDRMODULE_PID, 0),
        ROW(DOCA_APSH_LDRMODULE_BASE_ADDRESS, 2),
        ROW(DOCA_APSH_LDRMODULE_LIBRARY_PATH, 3),
        ROW(DOCA_APSH_LDRMODULE_WINDOWS_DLL_NAME, 1000),
        ROW(DOCA_APSH_LDRMODULE_WINDOWS_SIZE_OF_IMAGE, 1001),
        ROW(DOCA_APSH_LDRMODULE_WINDOWS_INLOAD, 1002),
        ROW(DOCA_APSH_LDRMODULE_WINDOWS_INMEM, 1003),
        ROW(DOCA_APSH_LDRMODULE_WINDOWS_ININIT, 1004),
        ROW(DOCA_APSH_PRIVILEGES_PID, 0),
        ROW(DOCA_APSH_PRIVILEGES_NAME, 2),
        ROW(DOCA_APSH_PRIVILEGES_IS_ON, 3),
        ROW(DOCA_APSH_PRIVILEGES_WINDOWS_PRESENT, 1000),
        ROW(DOCA_APSH_PRIVILEGES_WINDOWS_ENABLED, 1001),
        ROW(DOCA_APSH_PRIVILEGES_WINDOWS_DEFAULT, 1002),
        ROW(DOCA_APSH_PROCESS_SID_PID, 0),
        ROW(DOCA_APSH_PROCESS_SID_STRING, 1),
        ROW(DOCA_APSH_PROCESS_SID_ATTRIBUTES, 2),
        ROW(DOCA_APSH_NETSCAN_PID, 0),
        ROW(DOCA_APSH_NETSCAN_COMM, 1),
        ROW(DOCA_APSH_NETSCAN_PROTOCOL, 2),
        ROW(DOCA_APSH_NETSCAN_LOCAL_ADDR, 3),
        ROW(DOCA_APSH_NETSCAN_REMOTE_ADDR, 4),
        ROW(DOCA_APSH_NETSCAN_LOCAL_PORT, 5),
        ROW(DOCA_APSH_NETSCAN_REMOTE_PORT, 6),
        ROW(DOCA_APSH_NETSCAN_STATE, 7),
        ROW(DOCA_APSH_NETSCAN_TIME, 8),
        ROW(DOCA_APSH_INJECTION_DETECT_PID, 0),
        ROW(DOCA_APSH_INJECTION_DETECT_VAD_START, 1),
        ROW(DOCA_APSH_INJECTION_DETECT_VAD_END, 2),
        ROW(DOCA_APSH_INJECTION_DETECT_VAD_PROTECTION, 3),
        ROW(DOCA_APSH_INJECTION_DETECT_VAD_TAG, 4),
        ROW(DOCA_APSH_INJECTION_DETECT_VAD_FILE_PATH, 5),
        ROW(DOCA_APSH_INJECTION_DETECT_SUSPECTED_AREA_START, 6),
        ROW(DOCA_APSH_INJECTION_DETECT_SUSPECTED_AREA_END, 7),
        ROW(DOCA_APSH_ATTESTATION_PID, 0),
        ROW(DOCA_APSH_ATTESTATION_COMM, 1),
        ROW(DOCA_APSH_ATTESTATION_PATH_OF_MEMORY_AREA, 2),
        ROW(DOCA_APSH_ATTESTATION_PROTECTION, 3),
        ROW(DOCA_APSH_ATTESTATION_START_ADDRESS, 4),
        ROW(DOCA_APSH_ATTESTATION_END_ADDRESS, 5),
        ROW(DOCA_APSH_ATTESTATION_PAGES_NUMBER, 6),
        ROW(DOCA_APSH_ATTESTATION_PAGES_PRESENT, 7),
        ROW(DOCA_APSH_ATTESTATION_MATCHING_HASHES, 8),
        ROW(DOCA_APSH_ATTESTATION_HASH_DATA_IS_PRESENT, 9),
        ROW(DOCA_APSH_YARA_PID, 0),
        ROW(DOCA_APSH_YARA_COMM, 1),
        ROW(DOCA_APSH_YARA_RULE, 2),
        ROW(DOCA_APSH_YARA_MATCH_WINDOW_ADDR, 3),
        ROW(DOCA_APSH_YARA_MATCH_WINDOW_LEN, 4),
        ROW(DOCA_APSH_YARA_RULE_HELLO_WORLD, 0),
        ROW(DOCA_APSH_YARA_RULE_REFLECTIVE_DLL_INJECTION, 1),
        ROW(DOCA_APSH_YARA_RULE_MIMIKATZ, 2),
        ROW(DOCA_APSH_YARA_SCAN_VMA, 1),
        ROW(DOCA_APSH_YARA_SCAN_HEAP, 2),
    };
    size_t i;

    CHECK_EQ(sizeof(rows) / sizeof(rows[0]), 124);
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].value != rows[i].want)
            test_fail(__FILE__, __LINE__, "%s is %d, want %d", rows[i].name, rows[i].value,
                      rows[i].want);
}

static const struct test_case cases[] = {
    CASE(every_function_is_there, ""),
    CASE(every_value_is_the_vendors, ""),
};

TEST_MAIN(cases)

/* ---- >>apsh.attr -----------------------------------------------------------------------------
 * Attributes of the elements of each list, and the types of their values (doca_apsh_attr.h).
 * Attributes below 1000 exist for every operating system, attributes from 1000 on for Windows, and
 * attributes from 2000 on for Linux. The value of an attribute that an element does not have is 0
 * or NULL.
 * Source: API reference, "DOCA App Shield Attributes".                                          */
#ifndef DOCA_SRC_COMPAT_APSH_ATTR_H
#define DOCA_SRC_COMPAT_APSH_ATTR_H

#include "compat/apsh/config.h"

struct doca_dev;
struct doca_dev_rep;

/* Operating systems of a target. */
enum doca_apsh_system_os {
    DOCA_APSH_SYSTEM_LINUX = 0,
    DOCA_APSH_SYSTEM_WINDOWS = 1
};

/* Attributes of doca_apsh_sys_config(). The value of VHCA_ID is a representor. A limit is the
 * number of items at which the walk of a list ends; the call then succeeds with the items found so
 * far. STRING_LIMIT is the number of bytes at which a string is cut. */
enum doca_apsh_system_config_attr {
    DOCA_APSH_OS_SYMBOL_MAP = 0,
    DOCA_APSH_MEM_REGION = 1,
    DOCA_APSH_KPGD_FILE = 2,
    DOCA_APSH_VHCA_ID = 3,
    DOCA_APSH_OS_TYPE = 4,
    DOCA_APSH_SCAN_WIN_SIZE = 5,
    DOCA_APSH_SCAN_WIN_STEP = 6,
    DOCA_APSH_HASHTEST_LIMIT = 7,
    DOCA_APSH_MODULES_LIMIT = 8,
    DOCA_APSH_PROCESS_LIMIT = 9,
    DOCA_APSH_THREADS_LIMIT = 10,
    DOCA_APSH_LDRMODULES_LIMIT = 11,
    DOCA_APSH_LIBS_LIMIT = 12,
    DOCA_APSH_VADS_LIMIT = 13,
    DOCA_APSH_WINDOWS_ENVARS_LIMIT = 14,
    DOCA_APSH_HANDLES_LIMIT = 15,
    DOCA_APSH_STRING_LIMIT = 16
};
typedef char *DOCA_APSH_OS_SYMBOL_MAP_TYPE;
typedef char *DOCA_APSH_MEM_REGION_TYPE;
typedef char *DOCA_APSH_KPGD_FILE_TYPE;
typedef struct doca_dev_rep *DOCA_APSH_VHCA_ID_TYPE;
typedef enum doca_apsh_system_os DOCA_APSH_OS_TYPE_TYPE;
typedef uint32_t DOCA_APSH_SCAN_WIN_SIZE_TYPE;
typedef uint32_t DOCA_APSH_SCAN_WIN_STEP_TYPE;
typedef int DOCA_APSH_HASHTEST_LIMIT_TYPE;
typedef int DOCA_APSH_MODULES_LIMIT_TYPE;
typedef int DOCA_APSH_PROCESS_LIMIT_TYPE;
typedef int DOCA_APSH_THREADS_LIMIT_TYPE;
typedef int DOCA_APSH_LIBS_LIMIT_TYPE;
typedef int DOCA_APSH_VADS_LIMIT_TYPE;
typedef int DOCA_APSH_WINDOWS_ENVARS_LIMIT_TYPE;
typedef int DOCA_APSH_STRING_LIMIT_TYPE;

/* CPU_TIME is in picoseconds. LINUX_STATE is the state word of the kernel. */
enum doca_apsh_process_attr {
    DOCA_APSH_PROCESS_PID = 0,
    DOCA_APSH_PROCESS_PPID = 1,
    DOCA_APSH_PROCESS_COMM = 2,
    DOCA_APSH_PROCESS_CPU_TIME = 3,
    DOCA_APSH_PROCESS_WINDOWS_OFFSET = 1000, /* windows */
    DOCA_APSH_PROCESS_WINDOWS_THREADS = 1001, /* windows */
    DOCA_APSH_PROCESS_WINDOWS_EXIT_TIME = 1002, /* windows */
    DOCA_APSH_PROCESS_LINUX_GID = 2000, /* linux */
    DOCA_APSH_PROCESS_LINUX_UID = 2001, /* linux */
    DOCA_APSH_PROCESS_LINUX_STATE = 2002 /* linux */
};
typedef uint32_t DOCA_APSH_PROCESS_PID_TYPE;
typedef uint32_t DOCA_APSH_PROCESS_PPID_TYPE;
typedef char *DOCA_APSH_PROCESS_COMM_TYPE;
typedef uint64_t DOCA_APSH_PROCESS_CPU_TIME_TYPE;
typedef uint64_t DOCA_APSH_PROCESS_WINDOWS_OFFSET_TYPE;
typedef uint32_t DOCA_APSH_PROCESS_WINDOWS_THREADS_TYPE;
typedef uint64_t DOCA_APSH_PROCESS_WINDOWS_EXIT_TIME_TYPE;
typedef uint32_t DOCA_APSH_PROCESS_LINUX_GID_TYPE;
typedef uint32_t DOCA_APSH_PROCESS_LINUX_UID_TYPE;
typedef uint64_t DOCA_APSH_PROCESS_LINUX_STATE_TYPE;

/* Windows only. */
enum doca_apsh_process_parameters_attr {
    DOCA_APSH_PROCESS_PARAMETERS_PID = 0,
    DOCA_APSH_PROCESS_PARAMETERS_CMD_LINE = 1,
    DOCA_APSH_PROCESS_PARAMETERS_IMAGE_BASE_ADDR = 2,
    DOCA_APSH_PROCESS_PARAMETERS_IMAGE_FULL_PATH = 3
};
typedef uint32_t DOCA_APSH_PROCESS_PARAMETERS_PID_TYPE;
typedef char *DOCA_APSH_PROCESS_PARAMETERS_CMD_LINE_TYPE;
typedef uint64_t DOCA_APSH_PROCESS_PARAMETERS_IMAGE_BASE_ADDR_TYPE;
typedef char *DOCA_APSH_PROCESS_PARAMETERS_IMAGE_FULL_PATH_TYPE;

/* OFFSET is the address of the kernel's object for the module. SIZE is in bytes. */
enum doca_apsh_module_attr {
    DOCA_APSH_MODULES_OFFSET = 0,
    DOCA_APSH_MODULES_NAME = 1,
    DOCA_APSH_MODULES_SIZE = 2
};
typedef uint64_t DOCA_APSH_MODULES_OFFSET_TYPE;
typedef char *DOCA_APSH_MODULES_NAME_TYPE;
typedef uint32_t DOCA_APSH_MODULES_SIZE_TYPE;

/* LINUX_LOAD_ADRESS is the older name of LOAD_ADRESS. */
enum doca_apsh_lib_attr {
    DOCA_APSH_LIB_PID = 0,
    DOCA_APSH_LIB_LIBRARY_PATH = 2,
    DOCA_APSH_LIB_LOAD_ADRESS = 3,
    DOCA_APSH_LIB_WINDOWS_DLL_NAME = 1000, /* windows */
    DOCA_APSH_LIB_WINDOWS_SIZE_OF_IMAGE = 1001, /* windows */
    DOCA_APSH_LIB_LINUX_LOAD_ADRESS = 2000 /* linux */
};
typedef uint32_t DOCA_APSH_LIB_PID_TYPE;
typedef char *DOCA_APSH_LIB_LIBRARY_PATH_TYPE;
typedef uint64_t DOCA_APSH_LIB_LOAD_ADRESS_TYPE;
typedef char *DOCA_APSH_LIB_WINDOWS_DLL_NAME_TYPE;
typedef uint32_t DOCA_APSH_LIB_WINDOWS_SIZE_OF_IMAGE_TYPE;
typedef uint64_t DOCA_APSH_LIB_LINUX_LOAD_ADRESS_TYPE;

enum doca_apsh_thread_attr {
    DOCA_APSH_THREAD_PID = 0,
    DOCA_APSH_THREAD_TID = 1,
    DOCA_APSH_THREAD_STATE = 2,
    DOCA_APSH_THREAD_WINDOWS_WAIT_REASON = 1000, /* windows */
    DOCA_APSH_THREAD_WINDOWS_OFFSET = 1001, /* windows */
    DOCA_APSH_THREAD_WINDOWS_SUSPEND_COUNT = 1002, /* windows */
    DOCA_APSH_THREAD_LINUX_PROC_NAME = 2000, /* linux */
    DOCA_APSH_THREAD_LINUX_THREAD_NAME = 2001 /* linux */
};
typedef uint32_t DOCA_APSH_THREAD_PID_TYPE;
typedef uint32_t DOCA_APSH_THREAD_TID_TYPE;
typedef uint64_t DOCA_APSH_THREAD_STATE_TYPE;
typedef uint8_t DOCA_APSH_THREAD_WINDOWS_WAIT_REASON_TYPE;
typedef uint64_t DOCA_APSH_THREAD_WINDOWS_OFFSET_TYPE;
typedef uint8_t DOCA_APSH_THREAD_WINDOWS_SUSPEND_COUNT_TYPE;
typedef char *DOCA_APSH_THREAD_LINUX_PROC_NAME_TYPE;
typedef char *DOCA_APSH_THREAD_LINUX_THREAD_NAME_TYPE;

/* Memory areas of a process. On Linux, PROTECTION has the four letters of /proc/PID/maps, and
 * FILE_PATH is empty for an area without a file. OFFSET is the address of the kernel's object. */
enum doca_apsh_vad_attr {
    DOCA_APSH_VMA_PID = 0,
    DOCA_APSH_VMA_OFFSET = 1,
    DOCA_APSH_VMA_PROTECTION = 2,
    DOCA_APSH_VMA_VM_START = 3,
    DOCA_APSH_VMA_VM_END = 4,
    DOCA_APSH_VMA_PROCESS_NAME = 5,
    DOCA_APSH_VMA_FILE_PATH = 6,
    DOCA_APSH_VMA_WINDOWS_COMMIT_CHARGE = 1000, /* windows */
    DOCA_APSH_VMA_WINDOWS_PRIVATE_MEMORY = 1001, /* windows */
    DOCA_APSH_VMA_WINDOWS_TAG = 1002 /* windows */
};
typedef uint32_t DOCA_APSH_VMA_PID_TYPE;
typedef uint64_t DOCA_APSH_VMA_OFFSET_TYPE;
typedef char *DOCA_APSH_VMA_PROTECTION_TYPE;
typedef uint64_t DOCA_APSH_VMA_VM_START_TYPE;
typedef uint64_t DOCA_APSH_VMA_VM_END_TYPE;
typedef char *DOCA_APSH_VMA_PROCESS_NAME_TYPE;
typedef char *DOCA_APSH_VMA_FILE_PATH_TYPE;
typedef uint32_t DOCA_APSH_VMA_WINDOWS_COMMIT_CHARGE_TYPE;
typedef uint32_t DOCA_APSH_VMA_WINDOWS_PRIVATE_MEMORY_TYPE;
typedef char *DOCA_APSH_VMA_WINDOWS_TAG_TYPE;

enum doca_apsh_envar_attr {
    DOCA_APSH_ENVARS_PID = 0,
    DOCA_APSH_ENVARS_VARIABLE = 2,
    DOCA_APSH_ENVARS_VALUE = 3,
    DOCA_APSH_ENVARS_WINDOWS_BLOCK = 1000 /* windows */
};
typedef uint32_t DOCA_APSH_ENVARS_PID_TYPE;
typedef char *DOCA_APSH_ENVARS_VARIABLE_TYPE;
typedef char *DOCA_APSH_ENVARS_VALUE_TYPE;
typedef uint64_t DOCA_APSH_ENVARS_WINDOWS_BLOCK_TYPE;

/* Windows only. */
enum doca_apsh_handle_attr {
    DOCA_APSH_HANDLE_PID = 0,
    DOCA_APSH_HANDLE_VALUE = 2,
    DOCA_APSH_HANDLE_TABLE_ENTRY = 3,
    DOCA_APSH_HANDLE_TYPE = 4,
    DOCA_APSH_HANDLE_ACCESS = 5,
    DOCA_APSH_HANDLE_NAME = 6
};
typedef uint32_t DOCA_APSH_HANDLE_PID_TYPE;
typedef uint64_t DOCA_APSH_HANDLE_VALUE_TYPE;
typedef uint64_t DOCA_APSH_HANDLE_TABLE_ENTRY_TYPE;
typedef char *DOCA_APSH_HANDLE_TYPE_TYPE;
typedef uint64_t DOCA_APSH_HANDLE_ACCESS_TYPE;
typedef char *DOCA_APSH_HANDLE_NAME_TYPE;

/* Windows only. */
enum doca_apsh_ldrmodule_attr {
    DOCA_APSH_LDRMODULE_PID = 0,
    DOCA_APSH_LDRMODULE_BASE_ADDRESS = 2,
    DOCA_APSH_LDRMODULE_LIBRARY_PATH = 3,
    DOCA_APSH_LDRMODULE_WINDOWS_DLL_NAME = 1000, /* windows */
    DOCA_APSH_LDRMODULE_WINDOWS_SIZE_OF_IMAGE = 1001, /* windows */
    DOCA_APSH_LDRMODULE_WINDOWS_INLOAD = 1002, /* windows */
    DOCA_APSH_LDRMODULE_WINDOWS_INMEM = 1003, /* windows */
    DOCA_APSH_LDRMODULE_WINDOWS_ININIT = 1004 /* windows */
};
typedef uint32_t DOCA_APSH_LDRMODULE_PID_TYPE;
typedef uint64_t DOCA_APSH_LDRMODULE_BASE_ADDRESS_TYPE;
typedef char *DOCA_APSH_LDRMODULE_LIBRARY_PATH_TYPE;
typedef char *DOCA_APSH_LDRMODULE_WINDOWS_DLL_NAME_TYPE;
typedef uint32_t DOCA_APSH_LDRMODULE_WINDOWS_SIZE_OF_IMAGE_TYPE;
typedef bool DOCA_APSH_LDRMODULE_WINDOWS_INLOAD_TYPE;
typedef bool DOCA_APSH_LDRMODULE_WINDOWS_INMEM_TYPE;
typedef bool DOCA_APSH_LDRMODULE_WINDOWS_ININIT_TYPE;

/* Windows only. */
enum doca_apsh_privilege_attr {
    DOCA_APSH_PRIVILEGES_PID = 0,
    DOCA_APSH_PRIVILEGES_NAME = 2,
    DOCA_APSH_PRIVILEGES_IS_ON = 3,
    DOCA_APSH_PRIVILEGES_WINDOWS_PRESENT = 1000, /* windows */
    DOCA_APSH_PRIVILEGES_WINDOWS_ENABLED = 1001, /* windows */
    DOCA_APSH_PRIVILEGES_WINDOWS_DEFAULT = 1002 /* windows */
};
typedef uint32_t DOCA_APSH_PRIVILEGES_PID_TYPE;
typedef char *DOCA_APSH_PRIVILEGES_NAME_TYPE;
typedef bool DOCA_APSH_PRIVILEGES_IS_ON_TYPE;
typedef bool DOCA_APSH_PRIVILEGES_WINDOWS_PRESENT_TYPE;
typedef bool DOCA_APSH_PRIVILEGES_WINDOWS_ENABLED_TYPE;
typedef bool DOCA_APSH_PRIVILEGES_WINDOWS_DEFAULT_TYPE;

/* Windows only. */
enum doca_apsh_sid_attr {
    DOCA_APSH_PROCESS_SID_PID = 0,
    DOCA_APSH_PROCESS_SID_STRING = 1,
    DOCA_APSH_PROCESS_SID_ATTRIBUTES = 2
};
typedef uint32_t DOCA_APSH_PROCESS_SID_PID_TYPE;
typedef char *DOCA_APSH_PROCESS_SID_STRING_TYPE;
typedef uint32_t DOCA_APSH_PROCESS_SID_ATTRIBUTES_TYPE;

/* Windows only. */
enum doca_apsh_netscan_attr {
    DOCA_APSH_NETSCAN_PID = 0,
    DOCA_APSH_NETSCAN_COMM = 1,
    DOCA_APSH_NETSCAN_PROTOCOL = 2,
    DOCA_APSH_NETSCAN_LOCAL_ADDR = 3,
    DOCA_APSH_NETSCAN_REMOTE_ADDR = 4,
    DOCA_APSH_NETSCAN_LOCAL_PORT = 5,
    DOCA_APSH_NETSCAN_REMOTE_PORT = 6,
    DOCA_APSH_NETSCAN_STATE = 7,
    DOCA_APSH_NETSCAN_TIME = 8
};
typedef uint32_t DOCA_APSH_NETSCAN_PID_TYPE;
typedef char *DOCA_APSH_NETSCAN_COMM_TYPE;
typedef char *DOCA_APSH_NETSCAN_PROTOCOL_TYPE;
typedef char *DOCA_APSH_NETSCAN_LOCAL_ADDR_TYPE;
typedef char *DOCA_APSH_NETSCAN_REMOTE_ADDR_TYPE;
typedef uint16_t DOCA_APSH_NETSCAN_LOCAL_PORT_TYPE;
typedef uint16_t DOCA_APSH_NETSCAN_REMOTE_PORT_TYPE;
typedef char *DOCA_APSH_NETSCAN_STATE_TYPE;
typedef char *DOCA_APSH_NETSCAN_TIME_TYPE;

/* Windows only. */
enum doca_apsh_injection_detect_attr {
    DOCA_APSH_INJECTION_DETECT_PID,
    DOCA_APSH_INJECTION_DETECT_VAD_START,
    DOCA_APSH_INJECTION_DETECT_VAD_END,
    DOCA_APSH_INJECTION_DETECT_VAD_PROTECTION,
    DOCA_APSH_INJECTION_DETECT_VAD_TAG,
    DOCA_APSH_INJECTION_DETECT_VAD_FILE_PATH,
    DOCA_APSH_INJECTION_DETECT_SUSPECTED_AREA_START,
    DOCA_APSH_INJECTION_DETECT_SUSPECTED_AREA_END
};
typedef uint32_t DOCA_APSH_INJECTION_DETECT_PID_TYPE;
typedef uint64_t DOCA_APSH_INJECTION_DETECT_VAD_START_TYPE;
typedef uint64_t DOCA_APSH_INJECTION_DETECT_VAD_END_TYPE;
typedef char *DOCA_APSH_INJECTION_DETECT_VAD_PROTECTION_TYPE;
typedef char *DOCA_APSH_INJECTION_DETECT_VAD_TAG_TYPE;
typedef char *DOCA_APSH_INJECTION_DETECT_VAD_FILE_PATH_TYPE;
typedef uint64_t DOCA_APSH_INJECTION_DETECT_SUSPECTED_AREA_START_TYPE;
typedef uint64_t DOCA_APSH_INJECTION_DETECT_SUSPECTED_AREA_END_TYPE;

/* One element for each executable area that maps a file. PAGES_NUMBER is the length of the area in
 * pages. PAGES_PRESENT counts the pages in memory, and MATCHING_HASHES the pages in memory that
 * equal the file. HASH_DATA_IS_PRESENT is false when the zip file has no member with the name of
 * the file. */
enum doca_apsh_attestation_attr {
    DOCA_APSH_ATTESTATION_PID = 0,
    DOCA_APSH_ATTESTATION_COMM = 1,
    DOCA_APSH_ATTESTATION_PATH_OF_MEMORY_AREA = 2,
    DOCA_APSH_ATTESTATION_PROTECTION = 3,
    DOCA_APSH_ATTESTATION_START_ADDRESS = 4,
    DOCA_APSH_ATTESTATION_END_ADDRESS = 5,
    DOCA_APSH_ATTESTATION_PAGES_NUMBER = 6,
    DOCA_APSH_ATTESTATION_PAGES_PRESENT = 7,
    DOCA_APSH_ATTESTATION_MATCHING_HASHES = 8,
    DOCA_APSH_ATTESTATION_HASH_DATA_IS_PRESENT = 9
};
typedef uint32_t DOCA_APSH_ATTESTATION_PID_TYPE;
typedef char *DOCA_APSH_ATTESTATION_COMM_TYPE;
typedef char *DOCA_APSH_ATTESTATION_PATH_OF_MEMORY_AREA_TYPE;
typedef char *DOCA_APSH_ATTESTATION_PROTECTION_TYPE;
typedef uint64_t DOCA_APSH_ATTESTATION_START_ADDRESS_TYPE;
typedef uint64_t DOCA_APSH_ATTESTATION_END_ADDRESS_TYPE;
typedef int DOCA_APSH_ATTESTATION_PAGES_NUMBER_TYPE;
typedef int DOCA_APSH_ATTESTATION_PAGES_PRESENT_TYPE;
typedef int DOCA_APSH_ATTESTATION_MATCHING_HASHES_TYPE;
typedef bool DOCA_APSH_ATTESTATION_HASH_DATA_IS_PRESENT_TYPE;

/* Attributes of the matches of doca_apsh_yara_get(). */
enum doca_apsh_yara_attr {
    DOCA_APSH_YARA_PID = 0,
    DOCA_APSH_YARA_COMM = 1,
    DOCA_APSH_YARA_RULE = 2,
    DOCA_APSH_YARA_MATCH_WINDOW_ADDR = 3,
    DOCA_APSH_YARA_MATCH_WINDOW_LEN = 4
};
typedef uint32_t DOCA_APSH_YARA_PID_TYPE;
typedef char *DOCA_APSH_YARA_COMM_TYPE;
typedef char *DOCA_APSH_YARA_RULE_TYPE;
typedef uint64_t DOCA_APSH_YARA_MATCH_WINDOW_ADDR_TYPE;
typedef uint64_t DOCA_APSH_YARA_MATCH_WINDOW_LEN_TYPE;

/* The built-in rules. */
enum doca_apsh_yara_rule {
    DOCA_APSH_YARA_RULE_HELLO_WORLD = 0,
    DOCA_APSH_YARA_RULE_REFLECTIVE_DLL_INJECTION = 1,
    DOCA_APSH_YARA_RULE_MIMIKATZ = 2
};

/* Memory to scan, as a mask. VMA overrides HEAP. */
enum doca_apsh_yara_scan_type {
    DOCA_APSH_YARA_SCAN_VMA = 1,
    DOCA_APSH_YARA_SCAN_HEAP = 1 << 1
};

/* A type without an enumerator; part of the API. */
typedef struct doca_dev *DOCA_APSH_DMA_DEV_TYPE;

#endif

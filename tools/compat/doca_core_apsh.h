/* doca_core_apsh.h - the API of App Shield (doca_apsh.h, 2.5.1), for use with doca_core.h
 *
 * App Shield looks into the memory of another machine, the target, and lists what its operating
 * system runs. The program runs on the DPU; a device with a DMA engine reads the target's memory
 * through a representor. The target runs no agent and is not changed: all accesses are reads.
 *
 * THIS HEADER HAS all 61 functions, 16 macros and 19 enums of doca_apsh.h and doca_apsh_attr.h,
 * with the vendor's names, values and signatures. It uses only the public calls of doca_core.h. The
 * calls that exist only for Windows log one line and return NOT_SUPPORTED.
 *
 * DO THIS in one C (or C++) file, and include the header without the macro everywhere else:
 *
 *     #define DOCA_CORE_APSH_IMPLEMENTATION
 *     #include "doca_core_apsh.h"
 *
 * A PROGRAM makes these calls, in this order:
 *
 *     ctx = doca_apsh_create();
 *     doca_apsh_dma_dev_set(ctx, dev);
 *     doca_apsh_start(ctx);
 *     system = doca_apsh_system_create(ctx);
 *     doca_apsh_sys_dev_set(system, rep);
 *     doca_apsh_sys_os_type_set(system, DOCA_APSH_SYSTEM_LINUX);
 *     doca_apsh_system_start(system);
 *     doca_apsh_processes_get(system, &processes, &num);
 *     pid = doca_apsh_process_info_get(processes[0], DOCA_APSH_PROCESS_PID);
 *     doca_apsh_processes_free(processes);
 *     doca_apsh_system_destroy(system);
 *     doca_apsh_destroy(ctx);
 *
 * TARGETS are machines with Linux on x86-64. A system finds the kernel, its symbols and the layout
 * of its structures in the memory of the target. The kernel must have type information
 * (CONFIG_DEBUG_INFO_BTF) and all symbols (CONFIG_KALLSYMS_ALL), as the kernels of distributions
 * do, or the program sets a symbol map. A target is regarded as hostile: each address is checked
 * before it is read, and the number of reads of each call is bounded (DOCA_CORE_APSH_START_READS,
 * DOCA_CORE_APSH_LIST_READS).
 *
 * SCANS. With DOCA_CORE_APSH_YARA in the file with the implementation, and -lyara for the linker,
 * doca_apsh_yara_get() scans the memory of a Linux process with libyara and with rules that this
 * project has written; without the macro the call returns NOT_SUPPORTED. libyara itself uses the
 * heap while the call runs.
 *
 * MEMORY. The code of this header does not use the heap. Contexts, systems and snapshots are blocks
 * of one arena: the bound arena, or the arena passed to doca_core_apsh_create_in(). A snapshot is
 * one block. DOCA_CORE_BYTES_APSH_... and doca_core_bytes_apsh_... give the sizes. When the arena
 * is exhausted the call returns NO_MEMORY and releases all blocks that it has taken.
 *
 * THREADS. A system and its snapshots may be used by one thread at a time. Different systems may be
 * used by several threads at the same time, even if the systems have the same context.
 *
 * CONSENT. Reading the memory of another machine is a privileged act. Use it on your own machines,
 * or with the consent of their owner.
 *
 * PLATFORM. The values of attributes are cast to and from pointers, so pointers must have 64 bits.
 *
 * ERRORS are reported as in doca_core.h, including doca_core_last_error().
 *
 * DIFFERENCES from the vendor's library
 *   - Targets that run Windows are not supported; calls that exist only for Windows return
 *     NOT_SUPPORTED.
 *   - doca_apsh_envars_get() and doca_apsh_yara_get(), which the vendor has only for Windows, work
 *     for targets that run Linux.
 *   - A symbol map and a region file are optional: the library finds both in the memory of a Linux
 *     target.
 *   - Contexts, systems and snapshots may be destroyed in any order.
 *
 * Assumed, because the vendor's documents do not say: the initial limits; that an attribute that an
 * element does not have is 0 or NULL; that a call for a system that is not started returns
 * INITIALIZATION if the reference does not list BAD_STATE for the call; that the attributes OFFSET
 * are addresses of the kernel's structures; that the program's file is one of its libraries; that
 * PAGES_NUMBER of an attestation is the length of the area; that a file without a copy is not an
 * error; and that a list that reaches its limit succeeds.
 * Source: API reference, "DOCA App Shield" and "DOCA App Shield Attributes".
 *
 * CONTENTS (search for the tag)
 *   API             >>apsh.config >>apsh.attr >>apsh.object >>apsh.ctx >>apsh.system >>apsh.list
 *                   >>apsh.windows >>apsh.info
 *   Private         >>priv.apsh.platform >>priv.apsh.object >>priv.apsh.snapshot >>priv.apsh.mem
 *                   >>priv.apsh.bytes >>priv.apsh.kernel >>priv.apsh.walk >>priv.apsh.layout
 *                   >>priv.apsh.json >>priv.apsh.isf >>priv.apsh.isf_use >>priv.apsh.regions
 *                   >>priv.apsh.inflate >>priv.apsh.zip >>priv.apsh.pairs >>priv.apsh.kpgd
 *                   >>priv.apsh.find >>priv.apsh.field >>priv.apsh.shape >>priv.apsh.thread
 *                   >>priv.apsh.process >>priv.apsh.module >>priv.apsh.area >>priv.apsh.space
 *                   >>priv.apsh.path >>priv.apsh.vad >>priv.apsh.lib >>priv.apsh.envar
 *                   >>priv.apsh.attest >>priv.apsh.rules >>priv.apsh.scan
 *   Implementation  >>impl.apsh.object >>impl.apsh.snapshot >>impl.apsh.mem >>impl.apsh.bytes
 *                   >>impl.apsh.walk >>impl.apsh.btf >>impl.apsh.layout >>impl.apsh.names
 *                   >>impl.apsh.json >>impl.apsh.isf >>impl.apsh.isf_use >>impl.apsh.regions
 *                   >>impl.apsh.inflate >>impl.apsh.zip >>impl.apsh.pairs >>impl.apsh.kpgd
 *                   >>impl.apsh.find >>impl.apsh.field >>impl.apsh.shape >>impl.apsh.thread
 *                   >>impl.apsh.process >>impl.apsh.module >>impl.apsh.area >>impl.apsh.space
 *                   >>impl.apsh.path >>impl.apsh.vad >>impl.apsh.lib >>impl.apsh.envar
 *                   >>impl.apsh.attest >>impl.apsh.rules >>impl.apsh.scan >>impl.apsh.ctx
 *                   >>impl.apsh.settings >>impl.apsh.system >>impl.apsh.list >>impl.apsh.windows
 *                   >>impl.apsh.info
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/compat/apsh/. Change the
 * parts.
 */
#ifndef DOCA_CORE_APSH_H
#define DOCA_CORE_APSH_H

#ifndef DOCA_CORE_H
#include "doca_core.h"
#endif

/* part: src/compat/apsh/config.h */
/* ---- >>apsh.config ---------------------------------------------------------------------------
 * Limits of this header. Define them before the include, with the same value in every file.     */

#ifdef DOCA_CORE_FREESTANDING
#error "doca_core_apsh.h is for hosted programs"
#endif
#if defined(DOCA_CORE_NO_REP) || defined(DOCA_CORE_NO_DMA)
#error "doca_core_apsh.h needs representors and DMA"
#endif
#if defined(UINTPTR_MAX) && UINTPTR_MAX <= 0xffffffffu
#error "the attributes of App Shield need pointers of 64 bits"
#endif

/* Initial limits of a system: items of a list, and bytes of a string with its NUL. Programs change
 * them with doca_apsh_sys_config(). Assumed: the vendor does not publish its numbers. */
#ifndef DOCA_CORE_APSH_LIST_LIMIT
#define DOCA_CORE_APSH_LIST_LIMIT 65536
#endif
#ifndef DOCA_CORE_APSH_STRING_LIMIT
#define DOCA_CORE_APSH_STRING_LIMIT 4096
#endif

/* Pages of a target that a system caches, unless doca_core_apsh_sys_set_cache() sets another
 * number. */
#ifndef DOCA_CORE_APSH_CACHE_PAGES
#define DOCA_CORE_APSH_CACHE_PAGES 1024
#endif

/* Maximum number of DMA tasks of a start, and of one attempt to read a list whose limit is `limit`.
 * Most tasks of a start read one page of 4 KiB each: two searches may each read all pages of the
 * target. A call that needs more tasks fails with INITIALIZATION. Steps of work are bounded as
 * well, by 64 for each of these tasks, so that no target can keep a call busy. A step is an access
 * to the cache, or one symbol name or one type that a start examines. */
#ifndef DOCA_CORE_APSH_START_READS
#define DOCA_CORE_APSH_START_READS 8650752u
#endif
#define DOCA_CORE_APSH_LIST_READS(limit) (4096u + 16u * (uint64_t)(limit))

/* Maximum number of attempts to read a list when the target changes it during the read. */
#ifndef DOCA_CORE_APSH_TRIES
#define DOCA_CORE_APSH_TRIES 5
#endif

/* DOCA_CORE_APSH_REGIONS is the maximum number of regions in a region file.
 * DOCA_CORE_APSH_FILE_BYTES is the maximum number of bytes that a start reads of a symbol map, or
 * of all maps of a folder. A start reads a map once as a whole, and the structures in it
 * up to 15 times. */
#ifndef DOCA_CORE_APSH_REGIONS
#define DOCA_CORE_APSH_REGIONS 512
#endif
#ifndef DOCA_CORE_APSH_FILE_BYTES
#define DOCA_CORE_APSH_FILE_BYTES ((uint64_t)2 << 30)
#endif

/* Maximum number of bytes that an attestation unpacks from its zip file. Each executable area needs
 * the length of its file. An attestation reads at most DOCA_CORE_APSH_FILE_BYTES of the zip
 * file. */
#ifndef DOCA_CORE_APSH_UNPACK_BYTES
#define DOCA_CORE_APSH_UNPACK_BYTES ((uint64_t)2 << 30)
#endif

/* With the macro DOCA_CORE_APSH_YARA, doca_apsh_yara_get() scans by means of libyara; otherwise the
 * call returns NOT_SUPPORTED. Only the file with the implementation needs the macro; its program is
 * linked with -lyara. DOCA_CORE_APSH_SCAN_BYTES is the maximum sum of the bytes of all windows of a
 * scan. DOCA_CORE_APSH_SCAN_READS is the maximum number of DMA tasks with which a scan reads memory
 * of the process. */
#ifndef DOCA_CORE_APSH_SCAN_BYTES
#define DOCA_CORE_APSH_SCAN_BYTES ((uint64_t)4 << 30)
#endif
#define DOCA_CORE_APSH_SCAN_READS (4096u + (uint64_t)(DOCA_CORE_APSH_SCAN_BYTES) / 2048u)

#define DOCA_PRIV_APSH_LIMITS 10 /* limits from HASHTEST_LIMIT to STRING_LIMIT */

#ifdef __cplusplus
extern "C" {
#endif

/* part: src/compat/apsh/attr.h */
/* ---- >>apsh.attr -----------------------------------------------------------------------------
 * Attributes of the elements of each list, and the types of their values (doca_apsh_attr.h).
 * Attributes below 1000 exist for every operating system, attributes from 1000 on for Windows, and
 * attributes from 2000 on for Linux. The value of an attribute that an element does not have is 0
 * or NULL.
 * Source: API reference, "DOCA App Shield Attributes".                                          */

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

/* part: src/compat/apsh/object.h */
/* ---- >>apsh.object ---------------------------------------------------------------------------
 * Contexts and systems, and the memory that they take. The members of the structures are private.
 * A context keeps its memory until it and all its systems are destroyed; a system keeps its memory
 * until it is destroyed and all its snapshots are freed. The program may destroy and free them in
 * any order.                                                                                    */

struct doca_apsh_ctx {
    uint32_t guard;
    uint32_t num_users; /* one for the program until destroy, and one for each system */
    struct doca_core_arena *arena;
    struct doca_dev *dma_dev;
    bool is_started;
};

/* The settings of a system. */
struct doca_priv_apsh_settings {
    struct doca_dev_rep *rep;
    char *files[3]; /* paths of symbol map, regions and page directory: blocks of the arena */
    int limits[DOCA_PRIV_APSH_LIMITS];
    uint32_t window_size; /* bytes */
    uint32_t window_step; /* bytes */
    enum doca_apsh_system_os os;
    bool has_os;
};

struct doca_priv_apsh_kernel;

/* Statistics of a system since its start. */
struct doca_core_apsh_stats {
    uint64_t num_tasks; /* DMA tasks */
    uint64_t num_bytes; /* bytes that these tasks read */
    uint64_t num_hits;  /* accesses to memory that was in the cache */
};

struct doca_apsh_system {
    uint32_t guard;
    uint32_t num_users; /* one for the program until destroy, and one for each snapshot */
    struct doca_core_arena *arena;
    struct doca_apsh_ctx *ctx;
    struct doca_priv_apsh_settings set;
    struct doca_priv_apsh_kernel *kernel; /* while started */
    uint32_t num_pages;                   /* pages of the cache */
    bool is_started;
};

/* Bytes of private structures, and tasks in flight. */
#define DOCA_PRIV_APSH_KERNEL_BYTES 17408
#define DOCA_PRIV_APSH_SCRATCH_BYTES 110592
#define DOCA_PRIV_APSH_SLOT_BYTES 32
#define DOCA_PRIV_APSH_BLOCK_PAGES 4 /* pages of the target that one DMA task reads */
#define DOCA_PRIV_APSH_SNAPSHOT_BYTES 40
#define DOCA_PRIV_APSH_PROCESS_BYTES 105 /* with a pointer and a name of 16 bytes */
#define DOCA_PRIV_APSH_MODULE_BYTES 113 /* with a pointer and a name of 57 bytes */
#define DOCA_PRIV_APSH_THREAD_BYTES 89  /* with a pointer and a name of 17 bytes */
#define DOCA_PRIV_APSH_VAD_BYTES 93     /* with a pointer and the protection */
#define DOCA_PRIV_APSH_LIB_BYTES 64     /* with a pointer */
#define DOCA_PRIV_APSH_RUN_BYTES 24
#define DOCA_PRIV_APSH_ATTESTATION_BYTES 117 /* with a pointer and the protection */
#define DOCA_PRIV_APSH_ATTEST_BYTES 200704
#define DOCA_PRIV_APSH_ENVAR_BYTES 56 /* with a pointer */
#define DOCA_PRIV_APSH_MATCH_BYTES 72 /* with a pointer */
#define DOCA_PRIV_APSH_STRETCH_BYTES 16
#define DOCA_PRIV_APSH_CHUNK 63u /* matches that are collected in one block */
#define DOCA_PRIV_APSH_CHUNK_BYTES 1024
#define DOCA_PRIV_APSH_PAIRS 16 /* pages that are compared at once */
#define DOCA_PRIV_APSH_COMM_BYTES 17 /* name of a task with its NUL */
#define DOCA_PRIV_APSH_DEPTH 32
#define DOCA_PRIV_APSH_PROBE 64 /* bytes that a search reads of each page */

/* Arena bytes of `n` contexts and of `n` systems that are not started. Each path that is set takes
 * a further block with the length of the path and its NUL. */
#define DOCA_CORE_BYTES_APSH_CTX(n)                                                                \
    ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_apsh_ctx)))
#define DOCA_CORE_BYTES_APSH_SYSTEM(n)                                                             \
    ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_apsh_system)))
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_ctx(size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_system(size_t *bytes);

/* Arena bytes that the start of a system takes with a cache of `num_pages` pages on the software
 * device; the start releases about 108 KiB of them when it ends. doca_core_bytes_apsh_start()
 * computes them for any device. */
#define DOCA_CORE_BYTES_APSH_START(num_pages)                                                      \
    (DOCA_CORE_BYTES_MMAP_REP(1) + DOCA_CORE_BYTES_MMAP(1) + DOCA_CORE_BYTES_PE(1) +               \
     DOCA_CORE_BYTES_BUF_INVENTORY(2 * DOCA_PRIV_APSH_DEPTH) +                                     \
     DOCA_CORE_BYTES_DMA(DOCA_PRIV_APSH_DEPTH) +                                                   \
     DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_KERNEL_BYTES) +                                          \
     DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_SCRATCH_BYTES) +                                         \
     DOCA_CORE_BYTES_BLOCK((size_t)(num_pages) / DOCA_PRIV_APSH_BLOCK_PAGES *                      \
                           DOCA_PRIV_APSH_SLOT_BYTES) +                                            \
     DOCA_CORE_BYTES_BLOCK((size_t)(num_pages) * 4096 +                                            \
                           DOCA_PRIV_APSH_DEPTH * DOCA_PRIV_APSH_PROBE))
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_start(struct doca_dev *dev, uint32_t num_pages,
                                                       size_t *bytes);

/* Additional arena bytes for the start of a system that has a region file: `n` is the number of
 * ranges in the file that the device can read. The other files take no arena memory. */
#define DOCA_CORE_BYTES_APSH_REGIONS(n)                                                            \
    DOCA_CORE_BYTES_BLOCK((size_t)(n) * sizeof(struct doca_core_region))

/* Arena bytes of a list of `n` processes, of `n` modules, and of the `n` threads of a process.
 * While a call makes an empty list, it needs the bytes of the list with n = 0; the empty list
 * itself takes no memory. */
#define DOCA_CORE_BYTES_APSH_PROCESSES(n)                                                          \
    DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_SNAPSHOT_BYTES +                                          \
                          (size_t)(n) * DOCA_PRIV_APSH_PROCESS_BYTES)
#define DOCA_CORE_BYTES_APSH_MODULES(n)                                                            \
    DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_SNAPSHOT_BYTES + (size_t)(n) * DOCA_PRIV_APSH_MODULE_BYTES)
#define DOCA_CORE_BYTES_APSH_THREADS(n)                                                            \
    DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_SNAPSHOT_BYTES + DOCA_PRIV_APSH_COMM_BYTES +              \
                          (size_t)(n) * DOCA_PRIV_APSH_THREAD_BYTES)

/* Arena bytes of a list of `n` areas, and of `n` libraries, of a process. `path_bytes` is the sum
 * of the lengths of all paths with their NULs; neighbouring areas of one file share a path. A run
 * is a sequence of neighbouring areas that map one file. While the list of libraries is read,
 * DOCA_CORE_BYTES_BLOCK(24 * r) more bytes are in use, where r is the number of runs with an
 * executable area. */
#define DOCA_CORE_BYTES_APSH_VADS(n, path_bytes)                                                   \
    DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_SNAPSHOT_BYTES + DOCA_PRIV_APSH_COMM_BYTES +              \
                          (size_t)(n) * DOCA_PRIV_APSH_VAD_BYTES + (size_t)(path_bytes))
#define DOCA_CORE_BYTES_APSH_LIBS(n, path_bytes)                                                   \
    DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_SNAPSHOT_BYTES + (size_t)(n) * DOCA_PRIV_APSH_LIB_BYTES + \
                          (size_t)(path_bytes))

/* Arena bytes of an attestation of `n` areas. `path_bytes` is the sum of the lengths of the paths
 * of these areas and of the zip file, with their NULs. While an attestation is made or refreshed,
 * DOCA_CORE_BYTES_APSH_COMPARISON more bytes are in use on the software device;
 * doca_core_bytes_apsh_comparison() computes them for any device. */
#define DOCA_CORE_BYTES_APSH_ATTESTATIONS(n, path_bytes)                                           \
    DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_SNAPSHOT_BYTES + DOCA_PRIV_APSH_COMM_BYTES +              \
                          (size_t)(n) * DOCA_PRIV_APSH_ATTESTATION_BYTES + (size_t)(path_bytes))
#ifdef DOCA_CORE_NO_SHA
#define DOCA_CORE_BYTES_APSH_COMPARISON DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_ATTEST_BYTES)
#else
#define DOCA_CORE_BYTES_APSH_COMPARISON                                                            \
    (DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_ATTEST_BYTES) + DOCA_CORE_BYTES_MMAP(1) +                \
     DOCA_CORE_BYTES_BUF_INVENTORY(4 * DOCA_PRIV_APSH_PAIRS) + DOCA_CORE_BYTES_PE(1) +             \
     DOCA_CORE_BYTES_SHA(2 * DOCA_PRIV_APSH_PAIRS, 0))
#endif

/* Arena bytes of a list of `n` variables. `text_bytes`: of all names and values with their NULs. */
#define DOCA_CORE_BYTES_APSH_ENVARS(n, text_bytes)                                                 \
    DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_SNAPSHOT_BYTES +                                          \
                          (size_t)(n) * DOCA_PRIV_APSH_ENVAR_BYTES + (size_t)(text_bytes))

/* Arena bytes of a list of `n` matches. While a scan with a window of `window_bytes` bytes searches
 * `num_areas` areas, DOCA_CORE_BYTES_APSH_SCAN more bytes are in use. */
#define DOCA_CORE_BYTES_APSH_MATCHES(n)                                                            \
    DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_SNAPSHOT_BYTES + DOCA_PRIV_APSH_COMM_BYTES +              \
                          (size_t)(n) * DOCA_PRIV_APSH_MATCH_BYTES)
#define DOCA_CORE_BYTES_APSH_SCAN(n, num_areas, window_bytes)                                      \
    (DOCA_CORE_BYTES_BLOCK((size_t)(num_areas) * DOCA_PRIV_APSH_STRETCH_BYTES) +                   \
     DOCA_CORE_BYTES_BLOCK((size_t)(window_bytes)) +                                               \
     ((size_t)(n) + DOCA_PRIV_APSH_CHUNK - 1) / DOCA_PRIV_APSH_CHUNK *                             \
         DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_APSH_CHUNK_BYTES))
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_processes(uint32_t num, size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_modules(uint32_t num, size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_threads(uint32_t num, size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_vads(uint32_t num, size_t path_bytes,
                                                      size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_libs(uint32_t num, size_t path_bytes,
                                                      size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_attestations(uint32_t num, size_t path_bytes,
                                                              size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_envars(uint32_t num, size_t text_bytes,
                                                        size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_matches(uint32_t num, size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_comparison(struct doca_dev *dev, size_t *bytes);

/* part: src/compat/apsh/ctx.h */
/* ---- >>apsh.ctx ------------------------------------------------------------------------------
 * Contexts: the device whose DMA engine reads the memory of targets.
 * Source: API reference, "DOCA App Shield".                                                     */

struct doca_apsh_ctx;

/* Create a context. Returns NULL, with the reason in doca_core_last_error(), when the arena is
 * exhausted. doca_apsh_create() uses the bound arena.
 *
 * Owns      one block of the arena; the systems of the context and their snapshots use the same
 *           arena */
DOCA_CORE_DECL struct doca_apsh_ctx *doca_apsh_create(void);
DOCA_CORE_DECL struct doca_apsh_ctx *doca_core_apsh_create_in(struct doca_core_arena *arena);

/* Destroy a context. Its systems stay usable, and keep its memory until they are destroyed. NULL is
 * accepted. */
DOCA_CORE_DECL void doca_apsh_destroy(struct doca_apsh_ctx *ctx);

/* Set the device whose DMA engine reads the memory of targets. The device must stay open until all
 * systems of the context are destroyed. Mandatory.
 *
 * Errors    INVALID_VALUE  an argument is NULL, or `dma_dev` is not an open device
 *           BAD_STATE      the context is started */
DOCA_CORE_DECL doca_error_t doca_apsh_dma_dev_set(struct doca_apsh_ctx *ctx,
                                                  struct doca_dev *dma_dev);

/* Start a context: systems can be started from then on.
 *
 * Errors    INVALID_VALUE  `ctx` is NULL, no device was set, or the device has no DMA engine
 *           BAD_STATE      the context is started */
DOCA_CORE_DECL doca_error_t doca_apsh_start(struct doca_apsh_ctx *ctx);

/* part: src/compat/apsh/system.h */
/* ---- >>apsh.system ---------------------------------------------------------------------------
 * Systems. A system represents a target: a machine whose memory the device can read through a
 * representor. The setters must be called before doca_apsh_system_start(); the settings of a
 * started system cannot be changed.
 * Threads: one call at a time for a system, its snapshots and their elements. Calls for different
 * systems may run at the same time.
 * Source: API reference, "DOCA App Shield".                                                     */

struct doca_apsh_ctx;
struct doca_apsh_system;
struct doca_core_apsh_stats;

/* Create a system. Returns NULL, with the reason in doca_core_last_error(), when `ctx` is not a
 * context or its arena is exhausted.
 *
 * Owns      one block of the arena of `ctx` */
DOCA_CORE_DECL struct doca_apsh_system *doca_apsh_system_create(struct doca_apsh_ctx *ctx);

/* Destroy a system and everything that its start opened. Snapshots that the program has not freed
 * stay valid, but their processes can no longer be passed to the calls that list threads, areas and
 * so on. NULL is accepted. */
DOCA_CORE_DECL void doca_apsh_system_destroy(struct doca_apsh_system *system);

/* Set the representor of the target: the representor of a physical function for the host, or of a
 * virtual function for the virtual machine that has the function. The representor must stay open
 * until the system is destroyed. Mandatory.
 *
 * Errors    INVALID_VALUE  an argument is NULL, or `dev` is not an open representor
 *           BAD_STATE      the system is started */
DOCA_CORE_DECL doca_error_t doca_apsh_sys_dev_set(struct doca_apsh_system *system,
                                                  struct doca_dev_rep *dev);

/* Set the operating system of the target. Mandatory.
 *
 * Errors    INVALID_VALUE  `system` is NULL
 *           NOT_SUPPORTED  the target runs Windows, or `os_type` is unknown
 *           BAD_STATE      the system is started */
DOCA_CORE_DECL doca_error_t doca_apsh_sys_os_type_set(struct doca_apsh_system *system,
                                                      enum doca_apsh_system_os os_type);

/* Set the path of a file that doca_apsh_system_start() reads. The path is copied, and replaces an
 * earlier path. Each file is optional, because the memory of the target contains the same
 * information. tools/apsh-config writes all three files, as the vendor's tool does.
 *
 *   system_os_symbol_map_path  symbols.json: symbols and structures of the target's kernel, in the
 *                              format of volatility3 (ISF). A file of any length is read through a
 *                              window. The path may also be a folder: the start then uses the file
 *                              in it whose name ends in .json and whose linux_banner is the
 *                              kernel's. With a map, the kernel needs neither type information nor
 *                              a table of symbols. Where the map and the memory of the target
 *                              differ, the map is used, and a warning names the first difference. A
 *                              map with another banner than the kernel's is refused
 *   system_mem_region_path     mem_regions.json: the ranges of physical memory that may be read.
 *                              The system reads only memory that is in the file and that the device
 *                              can read; if the file has more, a warning is logged. A range that
 *                              does not begin at a page boundary is used from the next boundary on
 *   system_kpgd_file_path      kpgd_file.conf: the physical address of the kernel's page directory
 *                              and the virtual address of init_task. When this page directory leads
 *                              to the kernel, the start does not search for it. The file is valid
 *                              for one boot of the target: when the page directory does not lead to
 *                              the kernel, or init_task is at another address, the start uses the
 *                              memory of the target instead and logs a warning
 *
 * Owns      a block of the arena, until the system is destroyed
 * Errors    INVALID_VALUE  an argument is NULL, or the path is empty
 *           NO_MEMORY      the arena is exhausted; the earlier path is kept
 *           BAD_STATE      the system is started */
DOCA_CORE_DECL doca_error_t doca_apsh_sys_os_symbol_map_set(struct doca_apsh_system *system,
                                                            const char *system_os_symbol_map_path);
DOCA_CORE_DECL doca_error_t doca_apsh_sys_mem_region_set(struct doca_apsh_system *system,
                                                         const char *system_mem_region_path);
DOCA_CORE_DECL doca_error_t doca_apsh_sys_kpgd_file_set(struct doca_apsh_system *system,
                                                        const char *system_kpgd_file_path);

/* Set the window of doca_apsh_yara_get(), and the distance between two windows, in bytes. The
 * default of both is 4096. A size that the step does not divide also becomes the step.
 *
 * Errors    INVALID_VALUE  `system` is NULL; the size is neither a multiple nor a divisor of 4096;
 *                          the step does not divide the size
 *           BAD_STATE      the system is started */
DOCA_CORE_DECL doca_error_t doca_apsh_sys_set_scan_window_size(struct doca_apsh_system *system,
                                                               uint32_t scan_window_size);
DOCA_CORE_DECL doca_error_t doca_apsh_sys_set_scan_window_step(struct doca_apsh_system *system,
                                                               uint32_t scan_window_step);

/* Start a system: find the kernel of the target in its memory. The start can find a Linux kernel
 * for x86-64 with 4 or 5 levels of page tables, type information (CONFIG_DEBUG_INFO_BTF) and a
 * table of symbols (CONFIG_KALLSYMS_ALL). Pages that look like parts of a kernel but that the page
 * tables do not map are ignored. The files that the program has set are read first.
 *
 * Owns      DOCA_CORE_BYTES_APSH_START() bytes of the arena, until the system is destroyed
 * Cost      one DMA task for each page of the target until a note for crash dumps is found, or two
 *           for each page if there is no note; some thousand to read symbols and types. At most
 *           DOCA_CORE_APSH_START_READS tasks. A symbol map is read once as a whole, and its
 *           structures up to 15 times more, to find members of nested structures. At most
 *           DOCA_CORE_APSH_FILE_BYTES bytes of maps are read
 * Errors    INVALID_VALUE     `system` is NULL, the representor or the operating system was not
 *                             set, or the context is not started
 *           BAD_STATE         the system is started
 *           NOT_SUPPORTED     the device cannot read the memory of the target; the target is not
 *                             x86-64
 *           OPERATING_SYSTEM  the file with the target's memory cannot be read
 *           INITIALIZATION    no kernel was found, or it lacks type information or a member; a file
 *                             cannot be read or is malformed; no memory of the region file can be
 *                             read by the device; or the symbol map belongs to another kernel
 *           IO_FAILED         the DMA context of the system did not become RUNNING
 *           NO_MEMORY         the arena is exhausted
 *           any               other errors of doca_mmap_start() and doca_ctx_start() for the DMA
 *                             device, such as DRIVER when the device has failed */
DOCA_CORE_DECL doca_error_t doca_apsh_system_start(struct doca_apsh_system *system);

/* Set the number of pages of the target that the system caches: a multiple of 8 from 64 to
 * 1,048,576, DOCA_CORE_APSH_CACHE_PAGES by default. Each page takes 4104 bytes. Groups of four
 * consecutive pages are read and cached together.
 *
 * Errors    INVALID_VALUE  `system` is NULL, or the number is not permitted
 *           BAD_STATE      the system is started */
DOCA_CORE_DECL doca_error_t doca_core_apsh_sys_set_cache(struct doca_apsh_system *system,
                                                         uint32_t num_pages);

/* Get the statistics of a started system: how much it has read of its target.
 *
 * Errors    INVALID_VALUE  an argument is NULL
 *           BAD_STATE      the system is not started */
DOCA_CORE_DECL doca_error_t doca_core_apsh_sys_get_stats(const struct doca_apsh_system *system,
                                                         struct doca_core_apsh_stats *stats);

/* part: src/compat/apsh/list.h */
/* ---- >>apsh.list -----------------------------------------------------------------------------
 * Lists of a target. A snapshot is an array of pointers to elements, with their number. It is one
 * block of the system's arena. The call with _free releases the block, and with it the elements and
 * all their strings. Only an attestation can be refreshed. An empty list is NULL with the number 0.
 * The _free calls accept NULL.
 * Source: API reference, "DOCA App Shield".                                                     */

struct doca_apsh_system;
struct doca_apsh_process;
struct doca_apsh_module;
struct doca_apsh_lib;
struct doca_apsh_thread;
struct doca_apsh_vad;
struct doca_apsh_attestation;
struct doca_apsh_envar;
struct doca_apsh_yara;

/* List the processes of a target, without the idle task. UID and GID are the real ids. CPU_TIME is
 * in picoseconds: the run time that the kernel's scheduler has counted for the threads of the
 * process, including threads that have ended. UINT64_MAX stands for 213 days and more. If the
 * kernel counts no run time, CPU_TIME is the sum of user time and system time. At most
 * THREADS_LIMIT threads of each process are counted; in a kernel before 3.14, only the first
 * thread.
 *
 * Owns      DOCA_CORE_BYTES_APSH_PROCESSES(n) bytes of the arena for n processes
 * Cost      for each process a batch of up to 8 DMA tasks, for each thread a batch of up to 7, and
 *           a few more. Blocks of 16 KiB that are in the cache need no task, so most batches have
 *           one or two. At most DOCA_CORE_APSH_TRIES times
 *           DOCA_CORE_APSH_LIST_READS(PROCESS_LIMIT + THREADS_LIMIT) tasks
 * Errors    INVALID_VALUE   an argument is NULL
 *           INITIALIZATION  the system is not started; the list, or the threads of a process,
 *                           changed or were damaged each of DOCA_CORE_APSH_TRIES times that they
 *                           were read; or one attempt needs more tasks than the limit of an attempt
 *           IO_FAILED       the memory of the target cannot be read
 *           NO_MEMORY       the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_apsh_processes_get(struct doca_apsh_system *system,
                                                    struct doca_apsh_process ***processes,
                                                    int *processes_size);
DOCA_CORE_DECL void doca_apsh_processes_free(struct doca_apsh_process **processes);

/* List the modules of the target's kernel, including modules that are being loaded or removed.
 * OFFSET is the address of the kernel's structure. SIZE is the sum of all parts of the module,
 * including the parts that only its initialization needs; at most UINT32_MAX. A module that removed
 * itself from the kernel's list is not found.
 *
 * Owns      DOCA_CORE_BYTES_APSH_MODULES(n) bytes of the arena for n modules
 * Cost      a batch of up to 3 DMA tasks for each module, and tasks for page tables. At most
 *           DOCA_CORE_APSH_TRIES times DOCA_CORE_APSH_LIST_READS(MODULES_LIMIT) tasks
 * Errors    INVALID_VALUE   an argument is NULL
 *           INITIALIZATION  the system is not started; the kernel has no modules, or its type
 *                           information lacks a member; the list changed or was damaged each of
 *                           DOCA_CORE_APSH_TRIES times that it was read; or one attempt needs more
 *                           tasks than the limit of an attempt
 *           IO_FAILED       the memory of the target cannot be read
 *           NO_MEMORY       the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_apsh_modules_get(struct doca_apsh_system *system,
                                                  struct doca_apsh_module ***modules,
                                                  int *modules_size);
DOCA_CORE_DECL void doca_apsh_module_free(struct doca_apsh_module **modules);

/* List the threads of a process, including the first. STATE is the state word of the kernel: 0 for
 * a thread that runs or is ready to run. LINUX_PROC_NAME is the name in the list of processes.
 *
 * Owns      DOCA_CORE_BYTES_APSH_THREADS(n) bytes of the arena for n threads
 * Cost      a batch of up to 7 DMA tasks for each thread, and a few more. At most
 *           DOCA_CORE_APSH_TRIES times DOCA_CORE_APSH_LIST_READS(THREADS_LIMIT) tasks
 * Errors    INVALID_VALUE   an argument is NULL, or `process` is not an element of a list
 *           INITIALIZATION  the system is not started, or is destroyed; the process has ended; the
 *                           type information of the kernel lacks a member; the list changed or was
 *                           damaged each of DOCA_CORE_APSH_TRIES times that it was read; or one
 *                           attempt needs more tasks than the limit of an attempt
 *           IO_FAILED       the memory of the target cannot be read
 *           NO_MEMORY       the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_apsh_threads_get(struct doca_apsh_process *process,
                                                  struct doca_apsh_thread ***threads,
                                                  int *threads_size);
DOCA_CORE_DECL void doca_apsh_threads_free(struct doca_apsh_thread **threads);

/* List the memory areas of a process, in the order of their addresses. The list is empty for a
 * thread of the kernel and for a process that is ending. PROTECTION has the four letters of
 * /proc/PID/maps, with `s` for an area that may be shared. OFFSET is the address of the kernel's
 * structure. PROCESS_NAME is the name in the list of processes.
 *
 * FILE_PATH is empty for an area that maps no file, also where /proc/PID/maps shows [heap], [stack]
 * or [vdso]. The path begins at the root of the mount namespace of the file, even if the process
 * has another root directory. The path of a file without a directory, such as a memfd, is a slash
 * and the name of the file. The path does not show that a file is deleted. A file of an overlay may
 * have its path in the layer. A path that exceeds STRING_LIMIT or 4095 characters loses its
 * beginning.
 *
 * Owns      DOCA_CORE_BYTES_APSH_VADS(n, path_bytes) bytes of the arena for n areas
 * Cost      a DMA task for each block of 16 KiB with nodes, areas, files or directory entries that
 *           is not in the cache; one batch reads all objects that the slots of a node point to. At
 *           most DOCA_CORE_APSH_TRIES times DOCA_CORE_APSH_LIST_READS(VADS_LIMIT) tasks
 * Errors    INVALID_VALUE   an argument is NULL, or `process` is not an element of a list
 *           INITIALIZATION  the system is not started, or is destroyed; the process has ended; the
 *                           type information of the kernel lacks a member; the list or a path
 *                           changed or was damaged each of DOCA_CORE_APSH_TRIES times that it was
 *                           read; or one attempt needs more tasks than the limit of an attempt
 *           IO_FAILED       the memory of the target cannot be read
 *           NO_MEMORY       the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_apsh_vads_get(struct doca_apsh_process *process,
                                               struct doca_apsh_vad ***vads, int *vads_size);
DOCA_CORE_DECL void doca_apsh_vads_free(struct doca_apsh_vad **vads);

/* List the libraries of a process, in the order of their addresses: all files with an executable
 * area among the first VADS_LIMIT areas of the process, including the file of the program. A run is
 * a sequence of neighbouring areas that map one file; LOAD_ADRESS is the beginning of the file's
 * first run with an executable area. Paths are as in the list of areas. A file that was opened
 * twice is listed once. A library that is mapped without a file, such as [vdso], is not listed.
 *
 * Owns      DOCA_CORE_BYTES_APSH_LIBS(n, path_bytes) bytes of the arena for n libraries, and more
 *           while the call runs
 * Cost      twice that of the list of areas; the second pass reads from the cache, if the cache is
 *           large enough. At most
 *           DOCA_CORE_APSH_TRIES times DOCA_CORE_APSH_LIST_READS(LIBS_LIMIT + VADS_LIMIT) tasks
 * Errors    those of the list of areas */
DOCA_CORE_DECL doca_error_t doca_apsh_libs_get(struct doca_apsh_process *process,
                                               struct doca_apsh_lib ***libs, int *libs_size);
DOCA_CORE_DECL void doca_apsh_libs_free(struct doca_apsh_lib **libs);

/* List the environment of a process, in the order of its memory: the strings NAME=VALUE that the
 * process received when it executed its file, as in /proc/PID/environ. The list is empty for a
 * thread of the kernel. A variable that the process sets later is elsewhere in its memory and is
 * not listed. A process can overwrite these strings, and can tell the kernel that they are
 * elsewhere.
 *
 * VARIABLE is the part of a string before the first `=`, and VALUE the part after it. A string
 * without `=` is a name with an empty value. Empty strings are left out. STRING_LIMIT cuts off the
 * end of a name or value that is too long. Pages of the strings may be in swap: a string with a
 * byte in such a page is left out, and so is the first string after the page. The call reads at
 * most the first 6 MiB of the strings, and at most WINDOWS_ENVARS_LIMIT variables.
 *
 * Owns      DOCA_CORE_BYTES_APSH_ENVARS(n, text_bytes) bytes of the arena for n variables
 * Cost      a DMA task for each page of the environment, and tasks for page tables. At most
 *           DOCA_CORE_APSH_TRIES times DOCA_CORE_APSH_LIST_READS(WINDOWS_ENVARS_LIMIT) tasks
 * Errors    INVALID_VALUE   an argument is NULL, or `process` is not an element of a list
 *           INITIALIZATION  the system is not started, or is destroyed; the process has ended; the
 *                           type information of the kernel lacks a member; the environment changed
 *                           or was damaged each of DOCA_CORE_APSH_TRIES times that it was read; or
 *                           one attempt needs more tasks than the limit of an attempt
 *           IO_FAILED       the memory of the target cannot be read
 *           NO_MEMORY       the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_apsh_envars_get(struct doca_apsh_process *process,
                                                 struct doca_apsh_envar ***envars,
                                                 int *envars_size);
DOCA_CORE_DECL void doca_apsh_envars_free(struct doca_apsh_envar **envars);

/* Compare the pages of each executable area of a process with the file that the area maps. The zip
 * file at `exec_hash_map_path` contains copies of these files in the form that the vendor's tool
 * writes: the name of a member is the name of the file without its folders. The member `vdso` is a
 * copy of the kernel's area [vdso]; it is used when the kernel's types contain the position of that
 * area. Other members are ignored, such as the list of mappings without a file. The call searches
 * the first VADS_LIMIT areas of the process for executable areas that map a file or are the vdso,
 * and compares up to HASHTEST_LIMIT of them. Paths are as in the list of areas.
 *
 * PAGES_NUMBER is the length of the area in pages. PAGES_PRESENT counts the pages that the page
 * tables of the process map. MATCHING_HASHES counts the mapped pages that equal the same page of
 * the copy: an area is intact when the two counts are equal. The last page of a copy is filled up
 * with zeros, and a page beyond the end of the copy does not match. HASH_DATA_IS_PRESENT is
 * true if the zip file has a member with the name of the file. When several members have this name,
 * the member with the most matching pages counts. When two files in different folders have the same
 * name and the zip file has a copy of only one of them, the pages of the other file do not match.
 *
 * Tasks of a SHA context on the DMA device compute the SHA-256 digests of both pages, and the
 * digests are compared. When the device has no hash engine, the bytes of the pages are compared.
 *
 * The members of the zip file must be stored or deflated, and must follow each other in the order
 * of the directory. The call refuses a file in the format zip64, and a file with an encrypted
 * member, with overlapping members, or with a used member whose length or checksum differs from the
 * directory. Members that are not used are not unpacked.
 *
 *   exec_hash_map_path  the path; the list has a copy
 *
 * Owns      DOCA_CORE_BYTES_APSH_ATTESTATIONS(n, path_bytes) bytes of the arena for n areas, and
 *           DOCA_CORE_BYTES_APSH_COMPARISON more while the call runs
 * Cost      the cost of the list of areas; then, for each area, its file is unpacked once to the
 *           end, and each present page is read by a DMA task and hashed twice. The call reads at
 *           most DOCA_CORE_APSH_FILE_BYTES of the zip file and unpacks at most
 *           DOCA_CORE_APSH_UNPACK_BYTES; at most DOCA_CORE_APSH_LIST_READS(HASHTEST_LIMIT) tasks
 *           read pages
 * Errors    INVALID_VALUE   an argument is NULL, or `process` is not an element of a list
 *           INITIALIZATION  the system is not started, or is destroyed; the zip file cannot be read
 *                           or is refused; the process has ended, before or during the comparison;
 *                           the type information of the kernel lacks a member; the list or a path
 *                           changed or was damaged each of DOCA_CORE_APSH_TRIES times that it was
 *                           read; the address space of the process changed during the comparison;
 *                           or the call needs more tasks than its limit
 *           IO_FAILED       the memory of the target cannot be read, or the device cannot hash
 *           NO_MEMORY       the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_apsh_attestation_get(struct doca_apsh_process *process,
                                                      const char *exec_hash_map_path,
                                                      struct doca_apsh_attestation ***attestation,
                                                      int *attestation_size);

/* Repeat an attestation of the same process. The zip file at the same path is read again. The new
 * list replaces the old list: the array, elements and strings of the old list become invalid, and
 * both outputs are set. After an error the old list is unchanged. The list of processes may have
 * been freed. An attestation without areas is NULL and cannot be refreshed.
 *
 *   attestation  in and out: the array of doca_apsh_attestation_get()
 *
 * Owns      the same as doca_apsh_attestation_get(); the old list is released when the new list is
 *           complete
 * Errors    INVALID_VALUE  an argument or the array is NULL, or the array is not an attestation
 *           and those of doca_apsh_attestation_get() */
DOCA_CORE_DECL doca_error_t doca_apsh_attst_refresh(struct doca_apsh_attestation ***attestation,
                                                    int *attestation_size);
DOCA_CORE_DECL void doca_apsh_attestation_free(struct doca_apsh_attestation **attestation);

/* Scan the memory of a process by rules, and list the windows where a rule matches. This works when
 * the implementation is compiled with DOCA_CORE_APSH_YARA, which makes it use libyara (Debian's
 * libyara-dev; link with -lyara). libyara takes memory from the heap while the call runs; the code
 * of this header does not. In strict C (-std=c99) libyara's header needs _POSIX_C_SOURCE.
 *
 * The vendor does not publish the texts of its rules. The texts here are this project's own, and
 * look for strings:
 *   HELLO_WORLD               Hello_World: the text "Hello World"
 *   REFLECTIVE_DLL_INJECTION  Reflective_Dll_Injection: the text "ReflectiveLoader", the name of a
 *                             function in the widely used library for such injections. A loader
 *                             with another name is not found. Such a library runs on Windows; on
 *                             Linux it is only data, or runs in an emulator
 *   MIMIKATZ                  Mimikatz: "gentilkiwi", "sekurlsa::", "lsadump::" or
 *                             "privilege::debug"; or "mimikatz" together with "sekurlsa" or
 *                             "kuhl_m_". Upper and lower case are not distinguished, except in
 *                             "kuhl_m_"
 * HELLO_WORLD and MIMIKATZ also look for their strings in UTF-16. A match is a reason for a closer
 * look, not a proof: a text about the tool also matches, and so does a program that contains rules
 * like these. Encrypted, packed or renamed builds do not match.
 *
 * A window of doca_apsh_sys_set_scan_window_size() bytes moves through each area in steps of
 * doca_apsh_sys_set_scan_window_step() bytes, from the beginning of the area until the window
 * contains its end. The rules see only the window: if the windows do not overlap, a string that
 * crosses the end of a window is not found. Pages that are not in the memory of the target, such as
 * pages in swap, are zeros in the window; a window that consists only of such pages is left out. At
 * the end of an area, MATCH_WINDOW_LEN is less than the size of the window. COMM is the name in the
 * list of processes. The matches are in the order of their addresses; matches in one window are in
 * the order of the enumerators.
 *
 *   yara_rules_arr       pointers to the rules; a rule may occur several times
 *   yara_rules_arr_size  number of rules, at least 1
 *   scan_type            mask. DOCA_APSH_YARA_SCAN_VMA: all areas. DOCA_APSH_YARA_SCAN_HEAP:
 *                        writable areas without a file: the heap, private blocks of mmap() and
 *                        stacks. With both bits, all areas. The call examines the first VADS_LIMIT
 *                        areas of the process
 *
 * Owns      DOCA_CORE_BYTES_APSH_MATCHES(n) bytes of the arena for n matches, and
 *           DOCA_CORE_BYTES_APSH_SCAN(n, num_areas, window_bytes) more while the call runs
 * Threads   the call holds a mutex while it initializes libyara. A program that uses libyara itself
 *           initializes libyara before its first scan and finalizes libyara after its last scan
 * Cost      the cost of the list of areas; then a DMA task for each page in memory, and a scan of
 *           each window. At most DOCA_CORE_APSH_SCAN_BYTES are scanned, and
 *           DOCA_CORE_APSH_SCAN_READS tasks read pages
 * Errors    NOT_SUPPORTED   the implementation is compiled without DOCA_CORE_APSH_YARA
 *           INVALID_VALUE   an argument or a pointer to a rule is NULL, `process` is not an element
 *                           of a list, the number of rules is 0, or a rule or the mask has an
 *                           unknown value
 *           INITIALIZATION  the system is not started, or is destroyed; the process has ended,
 *                           before or during the scan; the type information of the kernel lacks a
 *                           member; the list of areas changed or was damaged each of
 *                           DOCA_CORE_APSH_TRIES times that it was read; the address space of the
 *                           process changed during the scan; the call needs more tasks, or scans
 *                           more bytes, than its limit; or libyara failed
 *           IO_FAILED       the memory of the target cannot be read
 *           NO_MEMORY       the arena is exhausted, or libyara cannot allocate heap memory */
DOCA_CORE_DECL doca_error_t doca_apsh_yara_get(struct doca_apsh_process *process,
                                               enum doca_apsh_yara_rule **yara_rules_arr,
                                               uint32_t yara_rules_arr_size, uint64_t scan_type,
                                               struct doca_apsh_yara ***yara_matches,
                                               int *yara_matches_size);
DOCA_CORE_DECL void doca_apsh_yara_free(struct doca_apsh_yara **yara_matches);

/* part: src/compat/apsh/windows.h */
/* ---- >>apsh.windows --------------------------------------------------------------------------
 * Lists of 2.5.1 that exist only for Windows. With valid arguments each call logs one line and
 * returns NOT_SUPPORTED; an argument that is NULL gives INVALID_VALUE. For a system that is not
 * started, doca_apsh_netscan_get() returns BAD_STATE. The outputs are not changed, so there is
 * nothing to free: the _free calls do nothing.
 * Source: API reference, "DOCA App Shield".                                                     */

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

/* part: src/compat/apsh/info.h */
/* ---- >>apsh.info -----------------------------------------------------------------------------
 * Attributes of elements, and settings of systems. Programs use the macros, whose second argument
 * is an enumerator itself, not a variable: the macro appends _TYPE to it for the type of the value.
 * The functions behind the macros return the value as a pointer. A string belongs to the element.
 * Source: API reference, "DOCA App Shield".                                                     */

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

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_APSH_H */

#if defined(DOCA_CORE_APSH_IMPLEMENTATION) && !defined(DOCA_PRIV_APSH_IMPLEMENTED)
#define DOCA_PRIV_APSH_IMPLEMENTED

#ifndef DOCA_PRIV_DECL
#define DOCA_PRIV_DECL static
#endif

/* part: src/compat/apsh/platform_priv.h */
/* ---- >>priv.apsh.platform --------------------------------------------------------------------
 * System headers, and the macros that hide the differences between compilers.                   */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#ifdef DOCA_CORE_APSH_YARA
#if defined(__STRICT_ANSI__) && !defined(__cplusplus) && !defined(_POSIX_C_SOURCE)
#error "libyara's header needs POSIX: define _POSIX_C_SOURCE=200809L, or compile with -std=gnu99"
#endif
#include <pthread.h>
#include <yara.h>
#endif

#if defined(__linux__) && !defined(__cplusplus)
long syscall(long number, ...); /* unistd.h hides the declaration in strict C */
#endif

/* Check a constant expression at compile time. */
#define DOCA_PRIV_APSH_ASSERT(name, condition)                                                     \
    struct doca_priv_apsh_assert_##name {                                                          \
        char holds[(condition) ? 1 : -1];                                                          \
    };

/* HOT: a small function that is always inlined. APART: a function that is never inlined. LOADED: a
 * barrier for the compiler. Without it, the compiler might load a byte a second time after the
 * value was checked, and the target may have changed the byte meanwhile. */
#if defined(__GNUC__) && !defined(__TINYC__)
#define DOCA_PRIV_APSH_HOT static inline __attribute__((always_inline))
#define DOCA_PRIV_APSH_APART __attribute__((noinline))
#define DOCA_PRIV_APSH_LOADED(values) __asm__ volatile("" : : "r"(values) : "memory")
#else
#define DOCA_PRIV_APSH_HOT static
#define DOCA_PRIV_APSH_APART
#define DOCA_PRIV_APSH_LOADED(values) ((void)(values))
#endif

/* Add to a counter that several threads change. Returns the previous value. */
#if defined(DOCA_CORE_SINGLE_THREAD) || defined(__TINYC__)
#define DOCA_PRIV_APSH_ADD(counter, value) ((*(counter) += (value)) - (value))
#else
#define DOCA_PRIV_APSH_ADD(counter, value) __atomic_fetch_add((counter), (value), __ATOMIC_ACQ_REL)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* part: src/compat/apsh/object_priv.h */
/* ---- >>priv.apsh.object ----------------------------------------------------------------------
 * Checks of handles, references to contexts and systems, and the report of failures.            */

/* The first word of each kind of object. It is 0 after the object was destroyed. */
#define DOCA_PRIV_APSH_CTX 0x63687061u
#define DOCA_PRIV_APSH_SYSTEM 0x73687061u

/* Record and log a failure of a call of the program. Returns `code`. */
#define DOCA_PRIV_APSH_FAIL(code, item, function)                                                  \
    doca_core_backend_fail(DOCA_ERROR_##code, DOCA_CORE_ITEM_##item, function, NULL, 0)

DOCA_PRIV_DECL bool doca_priv_apsh_is_ctx(const struct doca_apsh_ctx *ctx);
DOCA_PRIV_DECL bool doca_priv_apsh_is_system(const struct doca_apsh_system *system);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_ctx_check(const struct doca_apsh_ctx *ctx,
                                                     const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_system_check(const struct doca_apsh_system *system,
                                                        const void *argument,
                                                        const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_take(struct doca_core_arena *arena, size_t bytes,
                                                void **block);
DOCA_PRIV_DECL void doca_priv_apsh_give(struct doca_core_arena *arena, void *block);
DOCA_PRIV_DECL void doca_priv_apsh_ctx_drop(struct doca_apsh_ctx *ctx);
DOCA_PRIV_DECL void doca_priv_apsh_system_drop(struct doca_apsh_system *system);

/* part: src/compat/apsh/snapshot_priv.h */
/* ---- >>priv.apsh.snapshot --------------------------------------------------------------------
 * A snapshot is one block of the arena: a head, `num` pointers to elements, the elements, and then
 * their strings. The program gets the address of the pointers.                                  */

/* Kinds of lists. The number of a kind is the last byte of the guards of its snapshots and
 * elements. */
enum doca_priv_apsh_kind {
    DOCA_PRIV_APSH_PROCESSES,
    DOCA_PRIV_APSH_MODULES,
    DOCA_PRIV_APSH_LIBS,
    DOCA_PRIV_APSH_THREADS,
    DOCA_PRIV_APSH_VADS,
    DOCA_PRIV_APSH_ATTESTATIONS,
    DOCA_PRIV_APSH_MATCHES,
    DOCA_PRIV_APSH_ENVARS,
    DOCA_PRIV_APSH_KINDS
};

#define DOCA_PRIV_APSH_MAX_ATTRS 10        /* maximum number of attributes of an element */
#define DOCA_PRIV_APSH_LIST 0x6c687000u    /* guard of a snapshot, before the kind */
#define DOCA_PRIV_APSH_ELEMENT 0x65687000u /* guard of an element, before the kind */

struct doca_priv_apsh_snapshot {
    uint32_t guard;
    uint32_t num; /* elements that the program sees */
    uint32_t max; /* elements that the block has room for */
    struct doca_apsh_system *system;
    char *text;     /* address for the next string */
    char *text_end;
};

/* The head of an element. A value for each attribute of its kind follows. */
struct doca_priv_apsh_element {
    uint32_t guard;
    struct doca_priv_apsh_snapshot *snapshot;
    uint64_t at; /* address of the kernel's object in the target */
};

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_snapshot_make(struct doca_apsh_system *system,
                                                         enum doca_priv_apsh_kind kind,
                                                         uint32_t max, size_t text_bytes,
                                                         struct doca_priv_apsh_snapshot **snapshot);
DOCA_PRIV_DECL void doca_priv_apsh_snapshot_end(struct doca_priv_apsh_snapshot *snapshot);
DOCA_PRIV_DECL void doca_priv_apsh_snapshot_free(void *pointers, enum doca_priv_apsh_kind kind,
                                                 const char *function);
DOCA_PRIV_DECL void doca_priv_apsh_snapshot_give(struct doca_priv_apsh_snapshot *snapshot,
                                                 void *pointers, int *num);
DOCA_PRIV_DECL struct doca_priv_apsh_element *
doca_priv_apsh_snapshot_add(struct doca_priv_apsh_snapshot *snapshot, uint64_t at);
DOCA_PRIV_DECL void doca_priv_apsh_set(struct doca_priv_apsh_element *element, int attr,
                                       uint64_t value);
DOCA_PRIV_DECL void doca_priv_apsh_snapshot_add_all(struct doca_priv_apsh_snapshot *snapshot,
                                                    uint64_t at, const uint64_t *values);
DOCA_PRIV_DECL char *doca_priv_apsh_text_room(struct doca_priv_apsh_snapshot *snapshot,
                                              size_t len);
DOCA_PRIV_DECL char *doca_priv_apsh_text(struct doca_priv_apsh_snapshot *snapshot,
                                         const char *text, size_t len);
DOCA_PRIV_DECL struct doca_priv_apsh_element *
doca_priv_apsh_snapshot_at(struct doca_priv_apsh_snapshot *snapshot, uint32_t number);
DOCA_PRIV_DECL struct doca_priv_apsh_snapshot *
doca_priv_apsh_snapshot_of(void *pointers, enum doca_priv_apsh_kind kind);
DOCA_PRIV_DECL const char *doca_priv_apsh_first_text(struct doca_priv_apsh_snapshot *snapshot);
DOCA_PRIV_DECL const void *doca_priv_apsh_get(const void *element, enum doca_priv_apsh_kind kind,
                                              int attr, const char *function);
DOCA_PRIV_DECL bool doca_priv_apsh_is_element(const void *element, enum doca_priv_apsh_kind kind);

/* part: src/compat/apsh/mem_priv.h */
/* ---- >>priv.apsh.mem -------------------------------------------------------------------------
 * The memory of a target, read by physical address. Terms: a *block* is an aligned range of
 * DOCA_PRIV_APSH_BLOCK bytes of the target; a *slot* is an entry of the cache, which can contain
 * one block. DMA tasks read whole blocks, because one task for several pages costs little more than
 * one task for one page, and neighbouring pages often contain structures of one kind. The start of
 * the system takes the slots from the arena. The cache is dropped before each list is read. Every
 * address is compared with the regions of the target before it is read. If the program can load a
 * block directly from the target (doca_core_mmap_get_view()), the slot contains only the address of
 * the block: no task reads the block, and the slot stays valid when the cache is dropped. The bytes
 * of such a block may change between two accesses. So may the bytes of a block that is read again
 * because a small cache has dropped it.                                                         */

#define DOCA_PRIV_APSH_PAGE 4096u
#define DOCA_PRIV_APSH_BLOCK (DOCA_PRIV_APSH_BLOCK_PAGES * DOCA_PRIV_APSH_PAGE) /* bytes */
#define DOCA_PRIV_APSH_WAYS 8u /* slots that a block can be in */
#define DOCA_PRIV_APSH_LATEST 128u /* number of recently accessed slots that are looked at first */
#define DOCA_PRIV_APSH_VIEWED UINT32_MAX /* era of slots whose bytes are loaded from the target */
#define DOCA_PRIV_APSH_STEPS 64u /* accesses to slots for each DMA task that a call may submit */

struct doca_priv_apsh_slot { /* the range of the target that a slot contains */
    uint64_t addr;   /* physical address of the first byte */
    const unsigned char *from; /* address of the bytes in this process */
    uint32_t bytes;  /* less than a block at the beginning and end of a region */
    uint32_t era;    /* the slot is valid if this equals the cache's era or VIEWED; 0: empty */
    bool is_awaited; /* a task in flight is filling the slot */
};

struct doca_priv_apsh_mem {
    struct doca_core_arena *arena;
    struct doca_mmap *target;
    unsigned char *base; /* address that buffers use for the physical address 0 */
    struct doca_core_region device_regions[DOCA_CORE_REP_REGIONS];
    struct doca_core_region *allowed;       /* regions of a region file, a block; NULL: no file */
    const struct doca_core_region *regions; /* regions that may be read: one of the two arrays
                                             * above */
    uint32_t num_regions;
    struct doca_mmap *local; /* mmap of `blocks` */
    struct doca_buf_inventory *inventory;
    struct doca_pe *pe;
    struct doca_dma *dma;
    unsigned char *blocks; /* bytes of all slots, then the results of a probe */
    struct doca_priv_apsh_slot *slots;
    /* the recently accessed slots, indexed by the low bits of the numbers of their blocks */
    const struct doca_priv_apsh_slot *latest[DOCA_PRIV_APSH_LATEST];
    uint32_t num_slots;
    uint32_t max_unit; /* maximum number of bytes of a task: a block, or less if the device allows
                        * less */
    uint32_t unit;     /* bytes that a task reads: max_unit, or a page */
    uint32_t era;
    uint32_t next_way;
    uint32_t num_inflight;
    bool has_failed;
    uint64_t budget; /* DMA tasks that the current call may still submit */
    uint64_t steps;  /* accesses to slots that the current call may still make */
    struct doca_core_apsh_stats stats;
};

/* True when the slot contains the byte at `addr`, or when a task is filling the slot with it. */
DOCA_PRIV_APSH_HOT bool doca_priv_apsh_mem_contains(const struct doca_priv_apsh_mem *mem,
                                                    const struct doca_priv_apsh_slot *slot,
                                                    uint64_t addr)
{
    return (slot->era == mem->era || slot->era == DOCA_PRIV_APSH_VIEWED) &&
           addr - slot->addr < slot->bytes;
}

/* Return the recently accessed slot that may contain the byte at `addr`. */
DOCA_PRIV_APSH_HOT const struct doca_priv_apsh_slot *
doca_priv_apsh_mem_latest(const struct doca_priv_apsh_mem *mem, uint64_t addr)
{
    return mem->latest[addr / DOCA_PRIV_APSH_BLOCK % DOCA_PRIV_APSH_LATEST];
}

/* Count `num` accesses to slots. Returns false, and counts nothing, when that exceeds the limit of
 * the call. */
DOCA_PRIV_APSH_HOT bool doca_priv_apsh_mem_spend(struct doca_priv_apsh_mem *mem, uint32_t num)
{
    if (mem->steps < num)
        return false;
    mem->steps -= num;
    mem->stats.num_hits += num;
    return true;
}

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_mem_open(struct doca_priv_apsh_mem *mem,
                                                    struct doca_core_arena *arena,
                                                    struct doca_dev *dev, struct doca_dev_rep *rep,
                                                    uint32_t num_pages);
DOCA_PRIV_DECL void doca_priv_apsh_mem_close(struct doca_priv_apsh_mem *mem);
DOCA_PRIV_DECL void doca_priv_apsh_mem_begin(struct doca_priv_apsh_mem *mem, uint64_t budget);
DOCA_PRIV_DECL void doca_priv_apsh_mem_by_page(struct doca_priv_apsh_mem *mem);
DOCA_PRIV_DECL void doca_priv_apsh_mem_drop(struct doca_priv_apsh_mem *mem);
DOCA_PRIV_DECL bool doca_priv_apsh_mem_has(const struct doca_priv_apsh_mem *mem, uint64_t addr,
                                           uint64_t len);
DOCA_PRIV_DECL bool doca_priv_apsh_mem_holds(const struct doca_priv_apsh_mem *mem, uint64_t addr);
DOCA_PRIV_DECL bool doca_priv_apsh_mem_take(struct doca_priv_apsh_mem *mem, uint64_t addr, void *to,
                                            size_t len);
DOCA_PRIV_DECL const struct doca_priv_apsh_slot *
doca_priv_apsh_mem_present(struct doca_priv_apsh_mem *mem, uint64_t addr);
DOCA_PRIV_DECL const unsigned char *doca_priv_apsh_mem_window(struct doca_priv_apsh_mem *mem,
                                                              uint64_t addr, uint32_t len);
DOCA_PRIV_DECL void doca_priv_apsh_mem_fetch(struct doca_priv_apsh_mem *mem, const uint64_t *addrs,
                                             uint32_t num);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_mem_read(struct doca_priv_apsh_mem *mem, uint64_t addr,
                                                    void *to, size_t len);
DOCA_PRIV_DECL const unsigned char *doca_priv_apsh_mem_probe(struct doca_priv_apsh_mem *mem,
                                                             uint64_t addr, uint32_t num);

/* part: src/compat/apsh/bytes_priv.h */
/* ---- >>priv.apsh.bytes -----------------------------------------------------------------------
 * A range of physical memory that is read from its beginning to its end, through a window of one
 * page that moves. The pages that follow are read ahead.                                        */

struct doca_priv_apsh_bytes {
    struct doca_priv_apsh_mem *mem;
    uint64_t addr; /* physical address of the range */
    uint64_t len;
    uint64_t at;   /* offset of the window in the range */
    size_t filled; /* bytes in the window */
    unsigned char window[DOCA_PRIV_APSH_PAGE];
};

DOCA_PRIV_DECL void doca_priv_apsh_bytes_begin(struct doca_priv_apsh_bytes *bytes,
                                               struct doca_priv_apsh_mem *mem, uint64_t addr,
                                               uint64_t len);
DOCA_PRIV_DECL bool doca_priv_apsh_bytes_spend(struct doca_priv_apsh_bytes *bytes, uint64_t num);
DOCA_PRIV_DECL const unsigned char *doca_priv_apsh_bytes_get(struct doca_priv_apsh_bytes *bytes,
                                                             uint64_t at, size_t len);
DOCA_PRIV_DECL const unsigned char *doca_priv_apsh_bytes_some(struct doca_priv_apsh_bytes *bytes,
                                                              uint64_t at, size_t *len);
DOCA_PRIV_DECL uint32_t doca_priv_apsh_u32(const unsigned char *at);
DOCA_PRIV_DECL uint64_t doca_priv_apsh_u64(const unsigned char *at);

/* part: src/compat/apsh/kernel_priv.h */
/* ---- >>priv.apsh.kernel ----------------------------------------------------------------------
 * The properties of a target's kernel that the start finds: where its page directory and image are,
 * the addresses of some symbols, and the offsets of the members that lists read. Terms: the *image*
 * is the kernel's code and data, which is contiguous in physical memory; the *direct map* is the
 * range of virtual addresses where the kernel maps all physical memory in order.                */

/* X(name, symbol) */
#define DOCA_PRIV_APSH_SYMBOLS(X)                                                                  \
    X(BANNER, "linux_banner")                                                                      \
    X(INIT_TASK, "init_task")                                                                      \
    X(START_BTF, "__start_BTF")                                                                    \
    X(STOP_BTF, "__stop_BTF")                                                                      \
    X(DIRECT, "page_offset_base")                                                                  \
    X(MODULE_RING, "modules")

/* X(name, structure, member, name of the member in other versions, whether the start fails without
 * it). A member with "[]" appended stands for the number of its elements, and the member "" for the
 * size of the structure in bytes. */
#define DOCA_PRIV_APSH_MEMBERS(X)                                                                  \
    X(TASK_TASKS, "task_struct", "tasks", NULL, true)                                              \
    X(TASK_PID, "task_struct", "pid", NULL, true)                                                  \
    X(TASK_TGID, "task_struct", "tgid", NULL, true)                                                \
    X(TASK_COMM, "task_struct", "comm", NULL, true)                                                \
    X(TASK_PARENT, "task_struct", "real_parent", NULL, true)                                       \
    X(TASK_CRED, "task_struct", "cred", NULL, true)                                                \
    X(TASK_STATE, "task_struct", "__state", "state", true)                                         \
    X(TASK_UTIME, "task_struct", "utime", NULL, true)                                              \
    X(TASK_STIME, "task_struct", "stime", NULL, true)                                              \
    X(TASK_SIGNAL, "task_struct", "signal", NULL, true)                                            \
    X(CRED_UID, "cred", "uid", NULL, true)                                                         \
    X(CRED_GID, "cred", "gid", NULL, true)                                                         \
    X(SIGNAL_UTIME, "signal_struct", "utime", NULL, true)                                          \
    X(SIGNAL_STIME, "signal_struct", "stime", NULL, true)                                          \
    X(TASK_THREADS, "task_struct", "thread_node", NULL, false)                                     \
    X(SIGNAL_THREADS, "signal_struct", "thread_head", NULL, false)                                 \
    X(TASK_RUNTIME, "task_struct", "se.sum_exec_runtime", NULL, false)                             \
    X(SIGNAL_RUNTIME, "signal_struct", "sum_sched_runtime", NULL, false)                           \
    X(MODULE_LIST, "module", "list", NULL, false)                                                  \
    X(MODULE_NAME_AT, "module", "name", NULL, false)                                               \
    X(MODULE_CORE, "module", "core_layout.size", "core_size", false)                               \
    X(MODULE_INIT, "module", "init_layout.size", "init_size", false)                               \
    X(MODULE_MEM, "module", "mem", NULL, false)                                                    \
    X(MODULE_MEM_NUM, "module", "mem[]", NULL, false)                                              \
    X(MODULE_MEM_BYTES, "module_memory", "", NULL, false)                                          \
    X(MODULE_MEM_SIZE, "module_memory", "size", NULL, false)                                       \
    X(TASK_MM, "task_struct", "mm", NULL, false)                                                   \
    X(MM_TREE, "mm_struct", "mm_mt", NULL, false)                                                  \
    X(MM_AREAS, "mm_struct", "mmap", NULL, false)                                                  \
    X(MM_PGD, "mm_struct", "pgd", NULL, false)                                                     \
    X(MM_VDSO, "mm_struct", "context.vdso", NULL, false)                                           \
    X(MM_ENV_START, "mm_struct", "env_start", NULL, false)                                         \
    X(MM_ENV_END, "mm_struct", "env_end", NULL, false)                                             \
    X(TREE_ROOT, "maple_tree", "ma_root", NULL, false)                                             \
    X(NODE_PARENT, "maple_node", "parent", NULL, false)                                            \
    X(RANGE_PIVOTS, "maple_range_64", "pivot", NULL, false)                                        \
    X(RANGE_SLOTS, "maple_range_64", "slot", NULL, false)                                          \
    X(RANGE_NUM, "maple_range_64", "slot[]", NULL, false)                                          \
    X(ARANGE_PIVOTS, "maple_arange_64", "pivot", NULL, false)                                      \
    X(ARANGE_SLOTS, "maple_arange_64", "slot", NULL, false)                                        \
    X(ARANGE_NUM, "maple_arange_64", "slot[]", NULL, false)                                        \
    X(AREA_START, "vm_area_struct", "vm_start", NULL, false)                                       \
    X(AREA_END, "vm_area_struct", "vm_end", NULL, false)                                           \
    X(AREA_FLAGS, "vm_area_struct", "vm_flags", "__vm_flags", false)                               \
    X(AREA_MM, "vm_area_struct", "vm_mm", NULL, false)                                             \
    X(AREA_FILE, "vm_area_struct", "vm_file", NULL, false)                                         \
    X(AREA_PLACE, "vm_area_struct", "vm_pgoff", NULL, false)                                       \
    X(AREA_NEXT, "vm_area_struct", "vm_next", NULL, false)                                         \
    X(AREA_PREV, "vm_area_struct", "vm_prev", NULL, false)                                         \
    X(FILE_DENTRY, "file", "f_path.dentry", NULL, false)                                           \
    X(FILE_MNT, "file", "f_path.mnt", NULL, false)                                                 \
    X(DENTRY_PARENT, "dentry", "d_parent", NULL, false)                                            \
    X(DENTRY_LEN, "dentry", "d_name.len", NULL, false)                                             \
    X(DENTRY_NAME, "dentry", "d_name.name", NULL, false)                                           \
    X(MNT_ROOT, "vfsmount", "mnt_root", NULL, false)                                               \
    X(MOUNT_MNT, "mount", "mnt", NULL, false)                                                      \
    X(MOUNT_PARENT, "mount", "mnt_parent", NULL, false)                                            \
    X(MOUNT_POINT, "mount", "mnt_mountpoint", NULL, false)

#define DOCA_PRIV_APSH_SYMBOL_ENUM(name, symbol) DOCA_PRIV_APSH_##name,
enum doca_priv_apsh_symbol {
    DOCA_PRIV_APSH_SYMBOLS(DOCA_PRIV_APSH_SYMBOL_ENUM) DOCA_PRIV_APSH_NUM_SYMBOLS
};
#undef DOCA_PRIV_APSH_SYMBOL_ENUM

#define DOCA_PRIV_APSH_MEMBER_ENUM(name, type, member, other, must) DOCA_PRIV_APSH_##name,
enum doca_priv_apsh_member {
    DOCA_PRIV_APSH_MEMBERS(DOCA_PRIV_APSH_MEMBER_ENUM) DOCA_PRIV_APSH_NUM_MEMBERS
};
#undef DOCA_PRIV_APSH_MEMBER_ENUM

#define DOCA_PRIV_APSH_ROOM 1920u /* numbers of 8 bytes */

struct doca_priv_apsh_kernel {
    struct doca_priv_apsh_mem mem;
    uint64_t root;        /* physical address of the page directory */
    bool has_5_levels;    /* page tables have 5 levels; false: 4 */
    uint64_t delta;       /* virtual minus physical address of the image */
    uint64_t image_start; /* virtual address */
    uint64_t image_end;   /* virtual address behind the image */
    uint64_t direct;      /* address of the direct map; 0: unknown */
    uint64_t symbols[DOCA_PRIV_APSH_NUM_SYMBOLS]; /* virtual addresses; 0: unknown */
    int32_t offsets[DOCA_PRIV_APSH_NUM_MEMBERS];  /* in bytes; -1: there is no such member */
    uint64_t room[DOCA_PRIV_APSH_ROOM];           /* scratch memory for the tasks of a list that is
                                                   * being read */
};

/* part: src/compat/apsh/walk_priv.h */
/* ---- >>priv.apsh.walk ------------------------------------------------------------------------
 * Declarations for the other parts.                                                             */

#define DOCA_PRIV_APSH_IMAGE_FIRST 0xffffffff80000000u /* lowest address of the kernel's image */
#define DOCA_PRIV_APSH_IMAGE_STEP ((uint64_t)2 << 20)  /* alignment of its beginning */
#define DOCA_PRIV_APSH_IMAGE_STEPS 512u                /* number of places where the image may begin
                                                        * or continue */

/* True when `addr` may be in the direct map, where most structures of the kernel are. */
DOCA_PRIV_APSH_HOT bool doca_priv_apsh_may_be_direct(const struct doca_priv_apsh_kernel *kernel,
                                                     uint64_t addr)
{
    return kernel->direct != 0 && addr >= kernel->direct;
}

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_walk_span(struct doca_priv_apsh_kernel *kernel,
                                                     uint64_t root, uint64_t addr,
                                                     uint64_t *physical, unsigned *span);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_walk(struct doca_priv_apsh_kernel *kernel, uint64_t root,
                                                uint64_t addr, uint64_t *physical);
DOCA_PRIV_DECL bool doca_priv_apsh_is_near(const struct doca_priv_apsh_kernel *kernel,
                                           uint64_t addr);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_translate(struct doca_priv_apsh_kernel *kernel,
                                                     uint64_t addr, uint64_t *physical);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_read(struct doca_priv_apsh_kernel *kernel, uint64_t addr,
                                                void *to, size_t len);
DOCA_PRIV_DECL bool doca_priv_apsh_find_image(struct doca_priv_apsh_kernel *kernel);

/* part: src/compat/apsh/layout_priv.h */
/* ---- >>priv.apsh.layout ----------------------------------------------------------------------
 * Data that only the start of a system needs: a block of the arena that the start releases at its
 * end.                                                                                          */

#define DOCA_PRIV_APSH_NAMES 96u      /* names of structures and members to look for */
#define DOCA_PRIV_APSH_BUCKETS 256u   /* buckets of the hash table of these names */
#define DOCA_PRIV_APSH_MARK 64u       /* types from one mark to the next */
#define DOCA_PRIV_APSH_MARKS 16384u   /* maximum number of marks: up to 1,048,576 types */
#define DOCA_PRIV_APSH_TOKENS 16384u  /* maximum length in bytes of all tokens of symbol names */

/* Type information (BTF) of the kernel, while it is read. */
struct doca_priv_apsh_btf {
    struct doca_priv_apsh_bytes types;
    struct doca_priv_apsh_bytes strings;
    uint32_t num_types;
    uint32_t num_names;
    struct {
        const char *text;
        uint32_t len;
        uint32_t place; /* offset in the strings; 0: not found */
        uint32_t type;  /* 1 + offset of the structure of this name in the types; 0: not found */
        uint32_t next;  /* 1 + index of the next name of the bucket */
    } names[DOCA_PRIV_APSH_NAMES];
    uint32_t buckets[DOCA_PRIV_APSH_BUCKETS]; /* 1 + index of the first name */
    uint32_t marks[DOCA_PRIV_APSH_MARKS];     /* offset of each DOCA_PRIV_APSH_MARK-th type */
};

/* The table of the kernel's symbols (kallsyms), while it is read: physical addresses of its
 * parts. */
struct doca_priv_apsh_table {
    uint64_t names;
    uint64_t tokens;
    uint64_t index;
    uint64_t offsets;
    uint64_t base; /* address that offsets are relative to; 0: the table has none */
    uint32_t num;
};

struct doca_priv_apsh_scratch {
    struct doca_priv_apsh_table table;
    unsigned char index[512];
    unsigned char tokens[DOCA_PRIV_APSH_TOKENS];
    uint32_t places[DOCA_PRIV_APSH_NUM_SYMBOLS]; /* 1 + numbers of symbols in the table */
    struct doca_priv_apsh_bytes bytes;
    struct doca_priv_apsh_btf btf;
};

DOCA_PRIV_DECL bool doca_priv_apsh_btf_read(struct doca_priv_apsh_kernel *kernel,
                                            struct doca_priv_apsh_btf *btf, uint64_t addr,
                                            uint64_t len);
DOCA_PRIV_DECL void doca_priv_apsh_btf_want(struct doca_priv_apsh_btf *btf, const char *path);
DOCA_PRIV_DECL int32_t doca_priv_apsh_btf_member(struct doca_priv_apsh_btf *btf, const char *type,
                                                 const char *path);
DOCA_PRIV_DECL const char *doca_priv_apsh_layout(struct doca_priv_apsh_kernel *kernel,
                                                 struct doca_priv_apsh_btf *btf);
DOCA_PRIV_DECL const char *doca_priv_apsh_layout_name(unsigned member);
DOCA_PRIV_DECL void doca_priv_apsh_layout_names(struct doca_priv_apsh_btf *btf);
DOCA_PRIV_DECL bool doca_priv_apsh_table_find(struct doca_priv_apsh_kernel *kernel,
                                              struct doca_priv_apsh_scratch *scratch);
DOCA_PRIV_DECL bool doca_priv_apsh_table_read(struct doca_priv_apsh_kernel *kernel,
                                              struct doca_priv_apsh_scratch *scratch);

/* part: src/compat/apsh/json_priv.h */
/* ---- >>priv.apsh.json ------------------------------------------------------------------------
 * The files that a program sets, read through a window from the beginning to the end: bytes, and
 * JSON of any length. Besides strict JSON the reader accepts the output of the vendor's tool: a
 * comma after the last member, and strings in single quotes, as Python prints them. After the first
 * error every call returns the same as at the end of the file, and `reason` contains the error. */

#define DOCA_PRIV_APSH_JSON_WINDOW 16384u
#define DOCA_PRIV_APSH_JSON_TEXT 1024u /* bytes of a string that are kept, with a NUL */
#define DOCA_PRIV_APSH_JSON_DEPTH 64u  /* maximum number of open brackets */

enum doca_priv_apsh_json_kind {
    DOCA_PRIV_APSH_JSON_NONE, /* an error, or the end of the file */
    DOCA_PRIV_APSH_JSON_OBJECT,
    DOCA_PRIV_APSH_JSON_ARRAY,
    DOCA_PRIV_APSH_JSON_STRING,
    DOCA_PRIV_APSH_JSON_NUMBER, /* if `is_number`, the value is in `number` */
    DOCA_PRIV_APSH_JSON_WORD    /* true, false, null, and Python's spellings of these words */
};

struct doca_priv_apsh_json {
    int fd;
    uint64_t start;     /* offset of the window in the file */
    size_t next;        /* next byte of the window */
    size_t filled;      /* bytes in the window */
    uint64_t *budget;   /* bytes of files that the call may still read */
    const char *reason; /* first error; NULL: no error yet */
    int error;          /* errno, when a system call failed */
    uint64_t opened;    /* bit for each open bracket, the innermost last: 1 for an object */
    uint32_t depth;     /* number of open brackets */
    bool has_value;     /* a member of the innermost bracket was read: a comma must follow */
    bool is_cut;        /* the latest string is longer than the text */
    bool is_number;     /* the latest number is an integer from 0 to UINT64_MAX */
    uint32_t len;       /* bytes of the text */
    uint64_t number;    /* latest number */
    char text[DOCA_PRIV_APSH_JSON_TEXT]; /* latest key, string, number or word */
    unsigned char window[DOCA_PRIV_APSH_JSON_WINDOW];
};

DOCA_PRIV_DECL bool doca_priv_apsh_json_open(struct doca_priv_apsh_json *json, const char *path,
                                             uint64_t *budget);
DOCA_PRIV_DECL void doca_priv_apsh_json_close(struct doca_priv_apsh_json *json);
DOCA_PRIV_DECL int doca_priv_apsh_json_byte(struct doca_priv_apsh_json *json);
DOCA_PRIV_DECL bool doca_priv_apsh_json_bad(struct doca_priv_apsh_json *json, const char *reason);
DOCA_PRIV_DECL uint64_t doca_priv_apsh_json_place(const struct doca_priv_apsh_json *json);
DOCA_PRIV_DECL bool doca_priv_apsh_json_again(struct doca_priv_apsh_json *json, uint64_t place);
DOCA_PRIV_DECL enum doca_priv_apsh_json_kind
doca_priv_apsh_json_value(struct doca_priv_apsh_json *json);
DOCA_PRIV_DECL bool doca_priv_apsh_json_key(struct doca_priv_apsh_json *json);
DOCA_PRIV_DECL bool doca_priv_apsh_json_object(struct doca_priv_apsh_json *json);
DOCA_PRIV_DECL bool doca_priv_apsh_json_integer(struct doca_priv_apsh_json *json, uint64_t *value);
DOCA_PRIV_DECL bool doca_priv_apsh_json_string(struct doca_priv_apsh_json *json);
DOCA_PRIV_DECL bool doca_priv_apsh_json_is(const struct doca_priv_apsh_json *json,
                                           const char *text);
DOCA_PRIV_DECL void doca_priv_apsh_json_skip(struct doca_priv_apsh_json *json);
DOCA_PRIV_DECL void doca_priv_apsh_json_end(struct doca_priv_apsh_json *json);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_file_fail(const struct doca_priv_apsh_json *json,
                                                     enum doca_core_item item,
                                                     const char *function);

/* part: src/compat/apsh/isf_priv.h */
/* ---- >>priv.apsh.isf -------------------------------------------------------------------------
 * symbols.json: the symbols and structures of a kernel in the format of volatility3 (ISF). Such a
 * file has tens of megabytes, and a system needs some hundred numbers of it. Terms:
 *   map    the numbers that were read from the file
 *   query  the search for one member of a structure, by its path
 *   root   the structure in which a query searches at present: first the structure that the query
 *          names, then the member that the first name of the path leads to
 *   part   a structure or union whose members belong to a root: the root itself, or an anonymous
 *          member of a part                                                                     */

#define DOCA_PRIV_APSH_ISF_BANNER 256u
#define DOCA_PRIV_APSH_ISF_PARTS 256u
#define DOCA_PRIV_APSH_ISF_PASSES 16u /* maximum number of times that structures are read */

struct doca_priv_apsh_map {
    uint64_t symbols[DOCA_PRIV_APSH_NUM_SYMBOLS]; /* addresses without KASLR; 0: unknown */
    int32_t offsets[DOCA_PRIV_APSH_NUM_MEMBERS];  /* bytes; -1: unknown */
    uint32_t banner_len;                          /* 0: the file does not contain the banner */
    char banner[DOCA_PRIV_APSH_ISF_BANNER];       /* first bytes of the banner, without a NUL */
};

enum doca_priv_apsh_isf_want { /* the number that a query searches for */
    DOCA_PRIV_APSH_ISF_OFFSET, /* offset of the member in bytes */
    DOCA_PRIV_APSH_ISF_COUNT,  /* number of elements of the member; the path ends with "[]" */
    DOCA_PRIV_APSH_ISF_SIZE    /* size of the structure in bytes; the path is "" */
};

struct doca_priv_apsh_isf_query {
    uint64_t name;    /* hash of the next name of the path; 0: the query is not used */
    const char *rest; /* path after that name, or NULL */
    uint32_t root;    /* number of the root */
    int32_t value;    /* the number that was found, or -1 */
    enum doca_priv_apsh_isf_want want;
};

struct doca_priv_apsh_isf_part {
    uint64_t type;   /* hash of the name of the structure or union */
    uint32_t root;   /* number of the root that the members belong to */
    uint32_t offset; /* byte offset of the part in the structure that the query names */
    bool is_whole;   /* the part is the structure that the query names */
    bool is_read;    /* the members were compared with the queries */
};

/* A member of a structure of the file. */
struct doca_priv_apsh_isf_field {
    uint64_t name, type; /* hashes */
    uint64_t offset;
    uint64_t count; /* number of elements of an array; UINT64_MAX for other types */
    bool is_anonymous;
    bool is_inner; /* the type is a structure or union, and no pointer or array */
    bool is_bits;  /* the type is a bit field */
};

struct doca_priv_apsh_isf {
    struct doca_priv_apsh_map *map;
    uint64_t types_place; /* offset of the structures in the file; 0: not found yet */
    bool has_symbols;
    uint32_t num_roots, num_parts;
    /* query 2 * i is for member i, and query 2 * i + 1 for the member's name in other versions */
    struct doca_priv_apsh_isf_query queries[2 * DOCA_PRIV_APSH_NUM_MEMBERS];
    struct doca_priv_apsh_isf_part parts[DOCA_PRIV_APSH_ISF_PARTS];
    struct doca_priv_apsh_json json;
};

DOCA_PRIV_DECL bool doca_priv_apsh_isf_load(struct doca_priv_apsh_isf *isf,
                                            struct doca_priv_apsh_map *map, const char *path,
                                            uint64_t *budget);

/* part: src/compat/apsh/isf_use_priv.h */
/* ---- >>priv.apsh.isf_use ---------------------------------------------------------------------
 * The symbol map that the program set. It complements what the memory of the target contains.   */

struct doca_priv_apsh_maps {
    const char *path; /* NULL: the program did not set a map */
    bool is_folder;   /* the path is a folder with maps of several kernels */
    bool is_read;     /* `map` contains the map from the file */
    bool is_foreign;  /* a map was compared with a kernel and belongs to another kernel */
    uint64_t budget;  /* bytes of files that the start may still read */
    const char *missing; /* member that neither the map nor the kernel contains, or NULL */
    const char *differs; /* first symbol or member for which map and memory differ, or NULL */
    struct doca_priv_apsh_map map;
    struct doca_priv_apsh_isf *isf; /* a block, for the duration of the start */
};

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_maps_open(struct doca_priv_apsh_maps *maps,
                                                     const char *path, const char *function);
DOCA_PRIV_DECL bool doca_priv_apsh_maps_use(struct doca_priv_apsh_maps *maps,
                                            struct doca_priv_apsh_kernel *kernel);

/* part: src/compat/apsh/regions_priv.h */
/* ---- >>priv.apsh.regions ---------------------------------------------------------------------
 * mem_regions.json: the ranges of physical memory that may be read. The system reads only what
 * both this file and the device allow.                                                          */

/* The regions of a file, while it is read. */
struct doca_priv_apsh_regions {
    uint32_t num;
    struct doca_core_region list[DOCA_CORE_APSH_REGIONS]; /* in ascending order, with gaps between
                                                           * them */
    struct doca_priv_apsh_json json;
};

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_regions_load(struct doca_priv_apsh_regions *regions,
                                                        const char *path, const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_regions_use(struct doca_priv_apsh_mem *mem,
                                                       const char *path, const char *function);

/* part: src/compat/apsh/inflate_priv.h */
/* ---- >>priv.apsh.inflate ---------------------------------------------------------------------
 * Unpack a member of a zip file as a stream, in pieces of any length. The reason of an error is
 * stored in the object of the file from which the packed bytes are read.                        */

#define DOCA_PRIV_APSH_HISTORY 32768u /* maximum distance of a copy */
#define DOCA_PRIV_APSH_CODE_BITS 15u  /* maximum length of a code */
#define DOCA_PRIV_APSH_QUICK_BITS 9u  /* maximum length of a code that one lookup decodes */
#define DOCA_PRIV_APSH_SYMBOLS_MAX 288u

/* A prefix code. The codes of one length are consecutive numbers, in the order of their symbols. */
struct doca_priv_apsh_code {
    uint16_t num[DOCA_PRIV_APSH_CODE_BITS + 1];   /* number of codes of each length */
    uint16_t symbols[DOCA_PRIV_APSH_SYMBOLS_MAX]; /* symbols in the order of their codes */
    /* symbol << 4 | length of its code, indexed by the next bits of the stream. 0: the code is
     * longer, or no code begins with these bits */
    uint16_t quick[1u << DOCA_PRIV_APSH_QUICK_BITS];
};

enum doca_priv_apsh_block {
    DOCA_PRIV_APSH_BLOCK_NEXT, /* the head of a block follows */
    DOCA_PRIV_APSH_BLOCK_RAW,  /* inside a stored block */
    DOCA_PRIV_APSH_BLOCK_CODES, /* inside a compressed block */
    DOCA_PRIV_APSH_BLOCK_END   /* the stream has ended */
};

struct doca_priv_apsh_inflate {
    struct doca_priv_apsh_json *file;
    uint64_t packed_left; /* bytes of the member that are not read yet */
    uint64_t size_left;   /* bytes that may still be unpacked, according to the directory */
    uint64_t *work;       /* bytes that the call may still unpack */
    uint32_t crc;         /* checksum of the unpacked bytes, inverted */
    uint32_t crc_wanted;
    uint32_t bits; /* bits that were read and not yet used; the next bit is the least significant */
    uint32_t num_bits;
    enum doca_priv_apsh_block block;
    bool is_last;       /* this is the last block */
    uint64_t raw_left;  /* bytes left in the stored block */
    uint32_t copy_left; /* bytes left in the current copy */
    uint32_t distance;  /* distance of the current copy */
    uint32_t num_out;   /* bytes unpacked so far, at most DOCA_PRIV_APSH_HISTORY */
    uint32_t at;        /* index in the history of the next byte */
    uint32_t crcs[256];
    struct doca_priv_apsh_code literals, distances;
    unsigned char history[DOCA_PRIV_APSH_HISTORY];
};

DOCA_PRIV_DECL void doca_priv_apsh_inflate_begin(struct doca_priv_apsh_inflate *inflate,
                                                 struct doca_priv_apsh_json *file, bool is_deflated,
                                                 uint64_t packed, uint64_t size, uint32_t crc,
                                                 uint64_t *work);
DOCA_PRIV_DECL size_t doca_priv_apsh_inflate_read(struct doca_priv_apsh_inflate *inflate,
                                                  unsigned char *to, size_t len);

/* part: src/compat/apsh/zip_priv.h */
/* ---- >>priv.apsh.zip -------------------------------------------------------------------------
 * The members of a zip file, in the order of its directory. Each member is stored or deflated, is
 * not encrypted, and begins after the end of the member before it. A file in the format zip64 is
 * refused.                                                                                      */

#define DOCA_PRIV_APSH_MEMBER_NAME 255u /* maximum length of the name of a file */

struct doca_priv_apsh_packed {
    uint64_t at;     /* offset of the member's head in the file */
    uint64_t limit;  /* offset where the next member or the directory begins */
    uint64_t packed; /* length of the packed content */
    uint64_t size;   /* length of the unpacked content */
    uint32_t crc;    /* checksum of the unpacked content */
    bool is_deflated;
    uint32_t name_len; /* 0 when the name is longer than the name of any file */
    char name[DOCA_PRIV_APSH_MEMBER_NAME + 1];
};

struct doca_priv_apsh_zip {
    struct doca_priv_apsh_json file;
    uint64_t directory, directory_end; /* offsets */
    uint32_t num;                      /* members */
    uint64_t next;                     /* offset of the next entry of the directory */
    uint32_t next_number;
};

DOCA_PRIV_DECL bool doca_priv_apsh_zip_open(struct doca_priv_apsh_zip *zip, const char *path,
                                            uint64_t *budget);
DOCA_PRIV_DECL void doca_priv_apsh_zip_rewind(struct doca_priv_apsh_zip *zip);
DOCA_PRIV_DECL bool doca_priv_apsh_zip_next(struct doca_priv_apsh_zip *zip,
                                            struct doca_priv_apsh_packed *member);
DOCA_PRIV_DECL bool doca_priv_apsh_zip_unpack(struct doca_priv_apsh_zip *zip,
                                              const struct doca_priv_apsh_packed *member,
                                              struct doca_priv_apsh_inflate *inflate,
                                              uint64_t *work);

/* part: src/compat/apsh/pairs_priv.h */
/* ---- >>priv.apsh.pairs -----------------------------------------------------------------------
 * Pairs of pages: a page of a file, and a page of the memory of a process. Tasks of a SHA context,
 * on the device that reads the target, compute the SHA-256 digests of both, and the digests are
 * compared. On a device without a hash engine, and in a program without the module SHA
 * (DOCA_CORE_NO_SHA), the bytes of the pages are compared instead. The result is the same.      */

#define DOCA_PRIV_APSH_DIGEST 32u /* bytes of a digest */

struct doca_priv_apsh_pairs {
    struct doca_mmap *mmap; /* mmap of `pages` and `digests` */
    struct doca_buf_inventory *inventory;
    struct doca_pe *pe;
    struct doca_sha *sha; /* NULL: the bytes are compared instead of digests */
    uint32_t num_inflight;
    bool has_failed;
    bool is_whole[DOCA_PRIV_APSH_PAIRS]; /* the page of the process could be read */
    unsigned char digests[2 * DOCA_PRIV_APSH_PAIRS][DOCA_PRIV_APSH_DIGEST];
    /* for each pair a page of the file, followed by the page of the process */
    unsigned char pages[2 * DOCA_PRIV_APSH_PAIRS][DOCA_PRIV_APSH_PAGE];
};

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_pairs_open(struct doca_priv_apsh_pairs *pairs,
                                                      struct doca_core_arena *arena,
                                                      struct doca_dev *dev);
DOCA_PRIV_DECL void doca_priv_apsh_pairs_close(struct doca_priv_apsh_pairs *pairs);
DOCA_PRIV_DECL bool doca_priv_apsh_pairs_compare(struct doca_priv_apsh_pairs *pairs,
                                                 const uint8_t *numbers, uint32_t num,
                                                 uint32_t *num_equal);

/* part: src/compat/apsh/kpgd_priv.h */
/* ---- >>priv.apsh.kpgd ------------------------------------------------------------------------
 * kpgd_file.conf: two lines of hexadecimal digits. KASLR chooses both numbers anew at each boot, so
 * the file is valid for one boot of the target.                                                 */

struct doca_priv_apsh_kpgd {
    uint64_t root;      /* physical address of the page directory of the kernel */
    uint64_t init_task; /* virtual address of the first task */
};

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_kpgd_load(struct doca_priv_apsh_kpgd *kpgd,
                                                     struct doca_priv_apsh_json *file,
                                                     const char *path, const char *function);

/* part: src/compat/apsh/find_priv.h */
/* ---- >>priv.apsh.find ------------------------------------------------------------------------
 * Declarations for the other parts.                                                             */

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_find(struct doca_priv_apsh_kernel *kernel,
                                                char *const *files, const char *function);

/* part: src/compat/apsh/field_priv.h */
/* ---- >>priv.apsh.field -----------------------------------------------------------------------
 * Members of the kernel's structures, rings that link structures, and lists. A list is read again
 * when the target changed it during the read. Inside lists NOT_FOUND means that the list changed or
 * is damaged, BAD_STATE that the process has ended, and IO_FAILED that a read failed.           */

#define DOCA_PRIV_APSH_COMM 16u /* bytes of the name of a task */

/* A limit of a system, by its attribute. */
#define DOCA_PRIV_APSH_LIMIT(system, attr)                                                         \
    ((uint32_t)(system)->set.limits[(attr) - DOCA_APSH_HASHTEST_LIMIT])

/* A ring of structures that are linked through a member of the type struct list_head. */
struct doca_priv_apsh_ring {
    uint64_t head; /* address of the link where the ring begins; this link is not part of a
                    * structure of the ring */
    enum doca_priv_apsh_member link;
    const uint8_t *members; /* members of each structure that are read in one batch */
    uint32_t num_members;   /* at most DOCA_PRIV_APSH_BATCH */
};

#define DOCA_PRIV_APSH_BATCH 8u

/* A list that is being read. */
struct doca_priv_apsh_list {
    struct doca_apsh_system *system;
    struct doca_priv_apsh_kernel *kernel;
    const struct doca_apsh_process *process; /* NULL: the list is of the system */
    struct doca_priv_apsh_snapshot *snapshot; /* NULL before the snapshot is made */
    uint32_t limit;                          /* maximum number of items */
    uint64_t budget;                         /* maximum number of DMA tasks of one attempt */
};

DOCA_PRIV_DECL bool doca_priv_apsh_has(const struct doca_priv_apsh_kernel *kernel,
                                       enum doca_priv_apsh_member member);
DOCA_PRIV_DECL uint64_t doca_priv_apsh_in(const struct doca_priv_apsh_kernel *kernel,
                                          uint64_t object, enum doca_priv_apsh_member member);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_read_64(struct doca_priv_apsh_kernel *kernel,
                                                   uint64_t addr, uint64_t *value);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_get_64(struct doca_priv_apsh_kernel *kernel,
                                                  uint64_t object,
                                                  enum doca_priv_apsh_member member,
                                                  uint64_t *value);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_get_32(struct doca_priv_apsh_kernel *kernel,
                                                  uint64_t object,
                                                  enum doca_priv_apsh_member member,
                                                  uint32_t *value);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_get_comm(struct doca_priv_apsh_kernel *kernel,
                                                    uint64_t task,
                                                    char comm[DOCA_PRIV_APSH_COMM + 1]);
DOCA_PRIV_DECL void doca_priv_apsh_batch(struct doca_priv_apsh_kernel *kernel, uint64_t addr,
                                         uint64_t *addrs, uint32_t *num);
DOCA_PRIV_DECL void doca_priv_apsh_fetch(struct doca_priv_apsh_kernel *kernel, uint64_t object,
                                         const uint8_t *members, uint32_t num);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_ring_next(struct doca_priv_apsh_kernel *kernel,
                                                     const struct doca_priv_apsh_ring *ring,
                                                     uint64_t *object);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_ring_count(struct doca_priv_apsh_kernel *kernel,
                                                      const struct doca_priv_apsh_ring *ring,
                                                      uint32_t limit, uint32_t *num);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_need(const struct doca_priv_apsh_kernel *kernel,
                                                const uint8_t *members, size_t num,
                                                const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_lacks(const char *what, const char *function);
DOCA_PRIV_DECL void doca_priv_apsh_list_begin(struct doca_priv_apsh_list *list,
                                              struct doca_apsh_system *system,
                                              const struct doca_apsh_process *process, int limit);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_list_task(struct doca_priv_apsh_list *list,
                                                     uint64_t *task);
DOCA_PRIV_DECL uint64_t doca_priv_apsh_list_value(const struct doca_priv_apsh_list *list,
                                                  int attr);
DOCA_PRIV_DECL uint64_t doca_priv_apsh_list_text(const struct doca_priv_apsh_list *list,
                                                 const char *text);
DOCA_PRIV_DECL uint64_t doca_priv_apsh_list_name(const struct doca_priv_apsh_list *list);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_list_fail(const struct doca_priv_apsh_list *list,
                                                     doca_error_t rc, const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_list_read(
    struct doca_priv_apsh_list *list, doca_error_t (*read)(struct doca_priv_apsh_list *list),
    const char *function);

/* part: src/compat/apsh/shape_priv.h */
/* ---- >>priv.apsh.shape -----------------------------------------------------------------------
 * Structures of the kernel. Several members of a structure are read at once. Terms: a *part* is a
 * number of 4 or 8 bytes of a structure; a *shape* is a list of parts with their offsets in the
 * kernel of the target. When a slot of the cache contains all parts of a structure, one check of
 * the address is sufficient for all of them.                                                    */

#define DOCA_PRIV_APSH_PARTS 16u /* maximum number of parts of a shape */

struct doca_priv_apsh_part {
    uint8_t member; /* enum doca_priv_apsh_member */
    uint8_t inside; /* offset of the part in the member, in bytes */
    uint8_t bytes;  /* 4 or 8 */
};

struct doca_priv_apsh_shape {
    uint64_t first; /* offset of the part with the lowest offset in the structure */
    uint32_t bytes; /* bytes from `first` to 8 bytes after the beginning of the last part */
    uint32_t num;
    uint64_t masks[DOCA_PRIV_APSH_PARTS];  /* bits of a part; 0: the kernel has no such member */
    uint32_t places[DOCA_PRIV_APSH_PARTS]; /* distance from the first part */
};

/* The parts whose values doca_priv_apsh_pick() returns. It fetches the other parts into the cache
 * only. */
struct doca_priv_apsh_span {
    uint32_t from, to; /* numbers of the first part, and of the part after the last */
};

DOCA_PRIV_DECL void doca_priv_apsh_shape_make(const struct doca_priv_apsh_kernel *kernel,
                                              const struct doca_priv_apsh_part *parts, uint32_t num,
                                              struct doca_priv_apsh_shape *shape);
DOCA_PRIV_DECL DOCA_PRIV_APSH_APART doca_error_t doca_priv_apsh_pick_other(
    struct doca_priv_apsh_kernel *kernel, const struct doca_priv_apsh_shape *shape, uint64_t object,
    struct doca_priv_apsh_span span, uint64_t *values);

/* Load 8 bytes. On little-endian machines compilers turn the expression into one instruction. */
DOCA_PRIV_APSH_HOT uint64_t doca_priv_apsh_load(const unsigned char *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 |
           (uint64_t)at[7] << 56;
}

/* True when the slot contains all of [addr, addr + len). */
DOCA_PRIV_APSH_HOT bool doca_priv_apsh_slot_has(const struct doca_priv_apsh_slot *slot,
                                                uint64_t addr, uint32_t len)
{
    const uint64_t at = addr - slot->addr;

    return at < slot->bytes && len <= slot->bytes - at;
}

/* Load parts of a structure whose first part is at `at`. */
DOCA_PRIV_APSH_HOT void doca_priv_apsh_load_parts(const struct doca_priv_apsh_shape *shape,
                                                  const unsigned char *at,
                                                  struct doca_priv_apsh_span span, uint64_t *values)
{
    const uint64_t *mask = shape->masks + span.from, *const end = shape->masks + span.to;
    const uint32_t *place = shape->places + span.from;
    uint64_t *to = values + span.from;

    while (mask < end)
        *to++ = doca_priv_apsh_load(at + *place++) & *mask++;
    DOCA_PRIV_APSH_LOADED(values);
}

/* Read the parts `span` of the structure at `object` into the elements of `values` with the same
 * index. The value of a member that the kernel does not have is 0. NOT_FOUND: a part is not
 * mapped. */
DOCA_PRIV_APSH_HOT doca_error_t doca_priv_apsh_pick(struct doca_priv_apsh_kernel *kernel,
                                                const struct doca_priv_apsh_shape *shape,
                                                uint64_t object, struct doca_priv_apsh_span span,
                                                uint64_t *values)
{
    const uint64_t physical = object + shape->first - kernel->direct;
    const struct doca_priv_apsh_slot *slot = doca_priv_apsh_mem_latest(&kernel->mem, physical);

    if (!doca_priv_apsh_may_be_direct(kernel, object + shape->first) ||
        !doca_priv_apsh_mem_contains(&kernel->mem, slot, physical) ||
        !doca_priv_apsh_slot_has(slot, physical, shape->bytes) ||
        !doca_priv_apsh_mem_spend(&kernel->mem, span.to - span.from))
        return doca_priv_apsh_pick_other(kernel, shape, object, span, values);
    doca_priv_apsh_load_parts(shape, slot->from + (physical - slot->addr), span, values);
    return DOCA_SUCCESS;
}

/* part: src/compat/apsh/thread_priv.h */
/* ---- >>priv.apsh.thread ----------------------------------------------------------------------
 * Declarations for the other parts.                                                             */

/* Indices of the parts in the shape of a task. The parts of a thread are a range of them. */
enum doca_priv_apsh_task_part {
    DOCA_PRIV_APSH_PART_NEXT, /* links of the ring of tasks */
    DOCA_PRIV_APSH_PART_PREV,
    DOCA_PRIV_APSH_PART_THREAD_NEXT, /* links of the ring of threads; first part of a thread */
    DOCA_PRIV_APSH_PART_THREAD_PREV,
    DOCA_PRIV_APSH_PART_SIGNAL,
    DOCA_PRIV_APSH_PART_TIMES, /* run time, user time, system time */
    DOCA_PRIV_APSH_PART_PID = DOCA_PRIV_APSH_PART_TIMES + 3, /* last part of a thread */
    DOCA_PRIV_APSH_PART_STATE,
    DOCA_PRIV_APSH_PART_PARENT,
    DOCA_PRIV_APSH_PART_CRED,
    DOCA_PRIV_APSH_PART_COMM, /* two parts */
    DOCA_PRIV_APSH_TASK_PARTS = DOCA_PRIV_APSH_PART_COMM + 2
};

struct doca_priv_apsh_task {
    uint64_t at; /* address in the target */
    uint64_t values[DOCA_PRIV_APSH_TASK_PARTS];
};

/* Shapes of a task and of its signal_struct. */
struct doca_priv_apsh_task_shapes {
    struct doca_priv_apsh_shape task, signal;
    struct doca_priv_apsh_span times; /* which of the three times are summed up */
};

DOCA_PRIV_DECL void doca_priv_apsh_task_shapes_make(const struct doca_priv_apsh_kernel *kernel,
                                                    struct doca_priv_apsh_task_shapes *shapes);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_cpu_time(
    struct doca_priv_apsh_kernel *kernel, const struct doca_priv_apsh_task_shapes *shapes,
    const struct doca_priv_apsh_task *task, uint32_t limit, uint64_t *time);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_threads(const struct doca_apsh_process *process,
                                                   struct doca_priv_apsh_snapshot **snapshot,
                                                   const char *function);

/* part: src/compat/apsh/process_priv.h */
/* ---- >>priv.apsh.process ---------------------------------------------------------------------
 * Declarations for the other parts.                                                             */

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_processes(struct doca_apsh_system *system,
                                                     struct doca_priv_apsh_snapshot **snapshot,
                                                     const char *function);

/* part: src/compat/apsh/module_priv.h */
/* ---- >>priv.apsh.module ----------------------------------------------------------------------
 * Declarations for the other parts.                                                             */

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_modules(struct doca_apsh_system *system,
                                                   struct doca_priv_apsh_snapshot **snapshot,
                                                   const char *function);

/* part: src/compat/apsh/area_priv.h */
/* ---- >>priv.apsh.area ------------------------------------------------------------------------
 * The memory areas of a process, in the order of their addresses.                               */

#define DOCA_PRIV_APSH_TREE_DEPTH 16u /* maximum depth of a tree */
#define DOCA_PRIV_APSH_NODE_SLOTS 16  /* maximum number of slots of a node, which has 256 bytes */

/* Bits of the flags of an area. */
#define DOCA_PRIV_APSH_AREA_READ 1u
#define DOCA_PRIV_APSH_AREA_WRITE 2u
#define DOCA_PRIV_APSH_AREA_CODE 4u
#define DOCA_PRIV_APSH_AREA_SHARED 0x80u /* the area may be shared */

#define DOCA_PRIV_APSH_LETTERS 5 /* bytes of the protection of an area in letters, with the NUL */

struct doca_priv_apsh_area {
    uint64_t at; /* address of the kernel's structure; 0: there are no more areas */
    uint64_t start, end;
    uint64_t flags;
    uint64_t file; /* address of the structure of the mapped file; 0: the area maps no file */
};

/* A node of a tree, and the range of addresses that it describes. */
struct doca_priv_apsh_node {
    uint64_t at;
    uint64_t first, last; /* first address of the next slot's range; last address of the node's
                           * range */
    uint32_t next, num;   /* index of the next slot; number of slots */
    unsigned char slots[DOCA_PRIV_APSH_NODE_SLOTS][8]; /* copy of the slots in the target */
    unsigned char pivots[DOCA_PRIV_APSH_NODE_SLOTS - 1][8];
    bool is_leaf;
    bool is_over; /* the slots behind `next` are not in use */
};

/* A walk through the areas of an address space. */
struct doca_priv_apsh_areas {
    struct doca_priv_apsh_kernel *kernel;
    uint64_t mm;
    uint64_t next, previous, end; /* walk of a list: address of the next and of the previous area;
                                   * end of the previous area */
    unsigned depth;
    struct doca_priv_apsh_node nodes[DOCA_PRIV_APSH_TREE_DEPTH];
};

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_areas_need(const struct doca_priv_apsh_kernel *kernel,
                                                      const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_areas_space(struct doca_priv_apsh_list *list,
                                                       uint64_t *mm);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_areas_begin(struct doca_priv_apsh_areas *areas,
                                                       struct doca_priv_apsh_kernel *kernel,
                                                       uint64_t mm);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_areas_next(struct doca_priv_apsh_areas *areas,
                                                      struct doca_priv_apsh_area *area);
DOCA_PRIV_DECL void doca_priv_apsh_area_letters(const struct doca_priv_apsh_area *area,
                                                char letters[DOCA_PRIV_APSH_LETTERS]);

/* part: src/compat/apsh/space_priv.h */
/* ---- >>priv.apsh.space -----------------------------------------------------------------------
 * The address space of a process, and the memory in it.                                         */

#define DOCA_PRIV_APSH_USER_BITS 56u /* maximum number of bits of an address of a process */

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_space_need(const struct doca_priv_apsh_kernel *kernel,
                                                      const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_space_get(struct doca_priv_apsh_list *list,
                                                     uint64_t *mm, uint64_t *root);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_space_check(struct doca_priv_apsh_list *list,
                                                       uint64_t mm);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_space_read(struct doca_priv_apsh_list *list,
                                                      uint64_t root, uint64_t addr, void *to,
                                                      size_t len);

/* part: src/compat/apsh/path_priv.h */
/* ---- >>priv.apsh.path ------------------------------------------------------------------------
 * Paths of files of the target.                                                                 */

#define DOCA_PRIV_APSH_PATH_BYTES 4096u /* maximum length of a path with its NUL */

/* A path. It is written from its end to its beginning. */
struct doca_priv_apsh_path {
    size_t first; /* index of its first character */
    char text[DOCA_PRIV_APSH_PATH_BYTES];
};

/* The location of a file: a directory entry in a mounted file system. */
struct doca_priv_apsh_location {
    uint64_t dentry, mnt;
};

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_path_need(const struct doca_priv_apsh_kernel *kernel,
                                                     const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_path_place(struct doca_priv_apsh_kernel *kernel,
                                                      uint64_t file,
                                                      struct doca_priv_apsh_location *place);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_path_read(struct doca_priv_apsh_list *list,
                                                     struct doca_priv_apsh_location place,
                                                     struct doca_priv_apsh_path *path);
DOCA_PRIV_DECL size_t doca_priv_apsh_path_bytes(const struct doca_priv_apsh_path *path);
DOCA_PRIV_DECL char *doca_priv_apsh_path_text(const struct doca_priv_apsh_list *list,
                                              const struct doca_priv_apsh_path *path);

/* part: src/compat/apsh/vad_priv.h */
/* ---- >>priv.apsh.vad -------------------------------------------------------------------------
 * Declarations for the other parts.                                                             */

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_vads(const struct doca_apsh_process *process,
                                                struct doca_priv_apsh_snapshot **snapshot,
                                                const char *function);

/* part: src/compat/apsh/lib_priv.h */
/* ---- >>priv.apsh.lib -------------------------------------------------------------------------
 * Declarations for the other parts.                                                             */

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_libs(const struct doca_apsh_process *process,
                                                struct doca_priv_apsh_snapshot **snapshot,
                                                const char *function);

/* part: src/compat/apsh/envar_priv.h */
/* ---- >>priv.apsh.envar -----------------------------------------------------------------------
 * Declarations for the other parts.                                                             */

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_envars(const struct doca_apsh_process *process,
                                                  struct doca_priv_apsh_snapshot **snapshot,
                                                  const char *function);

/* part: src/compat/apsh/attest_priv.h */
/* ---- >>priv.apsh.attest ----------------------------------------------------------------------
 * Declarations for the other parts.                                                             */

struct doca_apsh_process;

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_attest(const struct doca_apsh_process *process,
                                                  const char *path,
                                                  struct doca_priv_apsh_snapshot **snapshot,
                                                  const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_attest_again(struct doca_priv_apsh_snapshot *old,
                                                        struct doca_priv_apsh_snapshot **snapshot,
                                                        const char *function);

/* part: src/compat/apsh/rules_priv.h */
/* ---- >>priv.apsh.rules -----------------------------------------------------------------------
 * The rules of scans, and libyara, which applies them; only with the macro DOCA_CORE_APSH_YARA. */

#define DOCA_PRIV_APSH_RULES 3u /* rules that the API names */

#ifdef DOCA_CORE_APSH_YARA

/* Compiled rules. A set of rules is a mask with the bit 1 << rule for each rule. */
struct doca_priv_apsh_rules {
    YR_RULES *rules;
    YR_SCANNER *scanner;
    uint32_t found; /* rules that match the bytes of the latest scan */
    bool is_open;   /* libyara is initialized */
};

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_rules_open(struct doca_priv_apsh_rules *rules,
                                                      uint32_t wanted, const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_rules_apply(struct doca_priv_apsh_rules *rules,
                                                       const unsigned char *bytes, size_t len,
                                                       const char *function);
DOCA_PRIV_DECL void doca_priv_apsh_rules_close(struct doca_priv_apsh_rules *rules);
DOCA_PRIV_DECL const char *doca_priv_apsh_rules_name(uint32_t rule);

#endif

/* part: src/compat/apsh/scan_priv.h */
/* ---- >>priv.apsh.scan ------------------------------------------------------------------------
 * Scans of the memory of a process.                                                             */

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_yara(const struct doca_apsh_process *process,
                                                enum doca_apsh_yara_rule *const *rules,
                                                uint32_t num_rules, uint64_t scan_type,
                                                struct doca_priv_apsh_snapshot **snapshot,
                                                const char *function);

/* part: src/compat/apsh/object.c */
/* ---- >>impl.apsh.object ----------------------------------------------------------------------
 * Checks of handles, references to contexts and systems, and sizes.                             */

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_ctx(size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_CTX(1);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_system(size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_SYSTEM(1);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_start(struct doca_dev *dev, uint32_t num_pages,
                                                       size_t *bytes)
{
    size_t dma = 0;
    doca_error_t rc;

    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    rc = doca_core_bytes_dma(dev, DOCA_PRIV_APSH_DEPTH, &dma);
    if (rc == DOCA_SUCCESS)
        *bytes = dma + DOCA_CORE_BYTES_APSH_START(num_pages) -
                 DOCA_CORE_BYTES_DMA(DOCA_PRIV_APSH_DEPTH);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_processes(uint32_t num, size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_PROCESSES(num);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_modules(uint32_t num, size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_MODULES(num);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_threads(uint32_t num, size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_THREADS(num);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_vads(uint32_t num, size_t path_bytes,
                                                      size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_VADS(num, path_bytes);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_libs(uint32_t num, size_t path_bytes,
                                                      size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_LIBS(num, path_bytes);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_attestations(uint32_t num, size_t path_bytes,
                                                              size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_ATTESTATIONS(num, path_bytes);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_envars(uint32_t num, size_t text_bytes,
                                                        size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_ENVARS(num, text_bytes);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_matches(uint32_t num, size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_MATCHES(num);
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL bool doca_priv_apsh_is_ctx(const struct doca_apsh_ctx *ctx)
{
    return ctx != NULL && ctx->guard == DOCA_PRIV_APSH_CTX;
}

DOCA_PRIV_DECL bool doca_priv_apsh_is_system(const struct doca_apsh_system *system)
{
    return system != NULL && system->guard == DOCA_PRIV_APSH_SYSTEM;
}

/* Check the handle that a program passed to a setter of a context. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_ctx_check(const struct doca_apsh_ctx *ctx,
                                                     const char *function)
{
    if (ctx == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, function);
    if (!doca_priv_apsh_is_ctx(ctx))
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, function);
    return ctx->is_started ? DOCA_PRIV_APSH_FAIL(BAD_STATE, APSH_STARTED, function) : DOCA_SUCCESS;
}

/* Check the arguments that a program passed to a setter of a system. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_system_check(const struct doca_apsh_system *system,
                                                        const void *argument, const char *function)
{
    if (system == NULL || argument == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, function);
    if (!doca_priv_apsh_is_system(system))
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, function);
    return system->is_started ? DOCA_PRIV_APSH_FAIL(BAD_STATE, APSH_STARTED, function)
                              : DOCA_SUCCESS;
}

/* Take a block of zeros. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_take(struct doca_core_arena *arena, size_t bytes,
                                                void **block)
{
    doca_error_t rc = doca_core_arena_take(arena, bytes, block);

    if (rc == DOCA_SUCCESS)
        memset(*block, 0, bytes);
    return rc;
}

/* Release a block. `block` may be NULL. */
DOCA_PRIV_DECL void doca_priv_apsh_give(struct doca_core_arena *arena, void *block)
{
    if (block != NULL)
        (void)doca_core_arena_give(arena, block);
}

/* Drop a reference to a context. The last reference releases its memory. */
DOCA_PRIV_DECL void doca_priv_apsh_ctx_drop(struct doca_apsh_ctx *ctx)
{
    if (DOCA_PRIV_APSH_ADD(&ctx->num_users, (uint32_t)-1) == 1)
        (void)doca_core_arena_give(ctx->arena, ctx);
}

/* Drop a reference to a system. The last reference releases its memory. */
DOCA_PRIV_DECL void doca_priv_apsh_system_drop(struct doca_apsh_system *system)
{
    if (DOCA_PRIV_APSH_ADD(&system->num_users, (uint32_t)-1) == 1)
        (void)doca_core_arena_give(system->arena, system);
}

/* part: src/compat/apsh/snapshot.c */
/* ---- >>impl.apsh.snapshot --------------------------------------------------------------------
 * Snapshots and their elements. A table names the attributes of each kind; an element has one value
 * for each of them, in the same order.                                                          */

/* The attributes that elements of a kind have on Linux. */
static const struct {
    unsigned num;
    int attrs[DOCA_PRIV_APSH_MAX_ATTRS];
} doca_priv_apsh_kinds[DOCA_PRIV_APSH_KINDS] = {
    { 7,
      { DOCA_APSH_PROCESS_PID, DOCA_APSH_PROCESS_PPID, DOCA_APSH_PROCESS_COMM,
        DOCA_APSH_PROCESS_CPU_TIME, DOCA_APSH_PROCESS_LINUX_GID, DOCA_APSH_PROCESS_LINUX_UID,
        DOCA_APSH_PROCESS_LINUX_STATE } },
    { 3, { DOCA_APSH_MODULES_OFFSET, DOCA_APSH_MODULES_NAME, DOCA_APSH_MODULES_SIZE } },
    { 4,
      { DOCA_APSH_LIB_PID, DOCA_APSH_LIB_LIBRARY_PATH, DOCA_APSH_LIB_LOAD_ADRESS,
        DOCA_APSH_LIB_LINUX_LOAD_ADRESS } },
    { 5,
      { DOCA_APSH_THREAD_PID, DOCA_APSH_THREAD_TID, DOCA_APSH_THREAD_STATE,
        DOCA_APSH_THREAD_LINUX_PROC_NAME, DOCA_APSH_THREAD_LINUX_THREAD_NAME } },
    { 7,
      { DOCA_APSH_VMA_PID, DOCA_APSH_VMA_OFFSET, DOCA_APSH_VMA_PROTECTION, DOCA_APSH_VMA_VM_START,
        DOCA_APSH_VMA_VM_END, DOCA_APSH_VMA_PROCESS_NAME, DOCA_APSH_VMA_FILE_PATH } },
    { 10,
      { DOCA_APSH_ATTESTATION_PID, DOCA_APSH_ATTESTATION_COMM,
        DOCA_APSH_ATTESTATION_PATH_OF_MEMORY_AREA, DOCA_APSH_ATTESTATION_PROTECTION,
        DOCA_APSH_ATTESTATION_START_ADDRESS, DOCA_APSH_ATTESTATION_END_ADDRESS,
        DOCA_APSH_ATTESTATION_PAGES_NUMBER, DOCA_APSH_ATTESTATION_PAGES_PRESENT,
        DOCA_APSH_ATTESTATION_MATCHING_HASHES, DOCA_APSH_ATTESTATION_HASH_DATA_IS_PRESENT } },
    { 5,
      { DOCA_APSH_YARA_PID, DOCA_APSH_YARA_COMM, DOCA_APSH_YARA_RULE,
        DOCA_APSH_YARA_MATCH_WINDOW_ADDR, DOCA_APSH_YARA_MATCH_WINDOW_LEN } },
    { 3, { DOCA_APSH_ENVARS_PID, DOCA_APSH_ENVARS_VARIABLE, DOCA_APSH_ENVARS_VALUE } },
};

DOCA_PRIV_APSH_ASSERT(snapshot_has_its_size, sizeof(struct doca_priv_apsh_snapshot) ==
                                                 DOCA_PRIV_APSH_SNAPSHOT_BYTES)
DOCA_PRIV_APSH_ASSERT(process_has_its_size, sizeof(void *) + sizeof(struct doca_priv_apsh_element) +
                                                    7 * sizeof(uintptr_t) + 17 ==
                                                DOCA_PRIV_APSH_PROCESS_BYTES)

static size_t doca_priv_apsh_element_bytes(enum doca_priv_apsh_kind kind)
{
    return sizeof(struct doca_priv_apsh_element) +
           doca_priv_apsh_kinds[kind].num * sizeof(uintptr_t);
}

static enum doca_priv_apsh_kind doca_priv_apsh_kind_of(uint32_t guard)
{
    return (enum doca_priv_apsh_kind)(guard & 0xff);
}

/* Return the values of an element. They follow the element in memory. */
static uintptr_t *doca_priv_apsh_values(const struct doca_priv_apsh_element *element)
{
    return (uintptr_t *)(uintptr_t)(element + 1);
}

/* Return the pointers of a snapshot. They follow its head in memory. */
static void **doca_priv_apsh_pointers(struct doca_priv_apsh_snapshot *snapshot)
{
    return (void **)(void *)(snapshot + 1);
}

/* Make an empty snapshot with room for `max` elements and `text_bytes` bytes of strings. The
 * snapshot holds a reference to the system. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_snapshot_make(struct doca_apsh_system *system,
                                                         enum doca_priv_apsh_kind kind,
                                                         uint32_t max, size_t text_bytes,
                                                         struct doca_priv_apsh_snapshot **snapshot)
{
    const size_t row = sizeof(void *) + doca_priv_apsh_element_bytes(kind);
    const size_t bytes = sizeof(**snapshot) + max * row;
    struct doca_priv_apsh_snapshot *made;
    void *block = NULL;
    doca_error_t rc = doca_core_arena_take(system->arena, bytes + text_bytes, &block);

    if (rc != DOCA_SUCCESS)
        return rc;
    made = (struct doca_priv_apsh_snapshot *)block;
    made->guard = DOCA_PRIV_APSH_LIST | kind;
    made->num = 0;
    made->max = max;
    made->system = system;
    made->text = (char *)block + bytes;
    made->text_end = made->text + text_bytes;
    (void)DOCA_PRIV_APSH_ADD(&system->num_users, 1u);
    *snapshot = made;
    return DOCA_SUCCESS;
}

/* Destroy a snapshot: release its block and its reference to the system. */
DOCA_PRIV_DECL void doca_priv_apsh_snapshot_end(struct doca_priv_apsh_snapshot *snapshot)
{
    struct doca_apsh_system *system = snapshot->system;
    uint32_t i;

    for (i = 0; i < snapshot->num; i++)
        ((struct doca_priv_apsh_element *)doca_priv_apsh_pointers(snapshot)[i])->guard = 0;
    snapshot->guard = 0;
    (void)doca_core_arena_give(system->arena, snapshot);
    doca_priv_apsh_system_drop(system);
}

/* Return the snapshot of the array `pointers`. NULL: the array is not a list of this kind. */
DOCA_PRIV_DECL struct doca_priv_apsh_snapshot *
doca_priv_apsh_snapshot_of(void *pointers, enum doca_priv_apsh_kind kind)
{
    struct doca_priv_apsh_snapshot *snapshot = (struct doca_priv_apsh_snapshot *)pointers - 1;

    return snapshot->guard == (DOCA_PRIV_APSH_LIST | kind) ? snapshot : NULL;
}

/* Free the snapshot that the program received as `pointers`. */
DOCA_PRIV_DECL void doca_priv_apsh_snapshot_free(void *pointers, enum doca_priv_apsh_kind kind,
                                                 const char *function)
{
    struct doca_priv_apsh_snapshot *snapshot;

    if (pointers == NULL)
        return;
    snapshot = doca_priv_apsh_snapshot_of(pointers, kind);
    if (snapshot == NULL)
        (void)DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, function);
    else
        doca_priv_apsh_snapshot_end(snapshot);
}

/* Give a snapshot to the program: `pointers` receives the address of its array of pointers. An
 * empty snapshot is destroyed instead. */
DOCA_PRIV_DECL void doca_priv_apsh_snapshot_give(struct doca_priv_apsh_snapshot *snapshot,
                                                 void *pointers, int *num)
{
    void *given = snapshot->num > 0 ? doca_priv_apsh_pointers(snapshot) : NULL;

    *num = (int)snapshot->num;
    memcpy(pointers, &given, sizeof(given));
    if (given == NULL)
        doca_priv_apsh_snapshot_end(snapshot);
}

/* Append an element for the object at `at` of the target, without values. The caller has counted
 * the elements, so the snapshot has room. */
static struct doca_priv_apsh_element *
doca_priv_apsh_snapshot_append(struct doca_priv_apsh_snapshot *snapshot, uint64_t at)
{
    const enum doca_priv_apsh_kind kind = doca_priv_apsh_kind_of(snapshot->guard);
    void **pointers = doca_priv_apsh_pointers(snapshot);
    char *elements = (char *)(pointers + snapshot->max);
    struct doca_priv_apsh_element *element =
        (struct doca_priv_apsh_element *)(void *)(elements +
                                                  snapshot->num *
                                                      doca_priv_apsh_element_bytes(kind));

    element->guard = DOCA_PRIV_APSH_ELEMENT | kind;
    element->snapshot = snapshot;
    element->at = at;
    pointers[snapshot->num++] = element;
    return element;
}

/* Append an element. All its values are 0. */
DOCA_PRIV_DECL struct doca_priv_apsh_element *
doca_priv_apsh_snapshot_add(struct doca_priv_apsh_snapshot *snapshot, uint64_t at)
{
    struct doca_priv_apsh_element *element = doca_priv_apsh_snapshot_append(snapshot, at);

    memset(doca_priv_apsh_values(element), 0,
           doca_priv_apsh_kinds[doca_priv_apsh_kind_of(element->guard)].num * sizeof(uintptr_t));
    return element;
}

/* Append an element with these values, which are in the order of the attributes of its kind. */
DOCA_PRIV_DECL void doca_priv_apsh_snapshot_add_all(struct doca_priv_apsh_snapshot *snapshot,
                                                    uint64_t at, const uint64_t *values)
{
    uintptr_t *to = doca_priv_apsh_values(doca_priv_apsh_snapshot_append(snapshot, at));
    const unsigned num = doca_priv_apsh_kinds[doca_priv_apsh_kind_of(snapshot->guard)].num;
    unsigned i;

    for (i = 0; i < num; i++)
        to[i] = (uintptr_t)values[i];
}

/* Return the index of an attribute among the attributes of its kind, or their number. */
static unsigned doca_priv_apsh_place(enum doca_priv_apsh_kind kind, int attr)
{
    unsigned i;

    for (i = 0; i < doca_priv_apsh_kinds[kind].num; i++)
        if (doca_priv_apsh_kinds[kind].attrs[i] == attr)
            break;
    return i;
}

/* Set the value of an attribute. The kind of the element must have the attribute. */
DOCA_PRIV_DECL void doca_priv_apsh_set(struct doca_priv_apsh_element *element, int attr,
                                       uint64_t value)
{
    doca_priv_apsh_values(
        element)[doca_priv_apsh_place(doca_priv_apsh_kind_of(element->guard), attr)] =
        (uintptr_t)value;
}

/* Reserve room for a string of `len` bytes, and write its NUL. Returns NULL when there is no
 * room. */
DOCA_PRIV_DECL char *doca_priv_apsh_text_room(struct doca_priv_apsh_snapshot *snapshot, size_t len)
{
    char *at = snapshot->text;

    if ((size_t)(snapshot->text_end - at) <= len)
        return NULL;
    at[len] = '\0';
    snapshot->text += len + 1;
    return at;
}

/* Copy `len` bytes and a NUL to the strings of a snapshot. Returns NULL when there is no room. */
DOCA_PRIV_DECL char *doca_priv_apsh_text(struct doca_priv_apsh_snapshot *snapshot,
                                         const char *text, size_t len)
{
    char *at = doca_priv_apsh_text_room(snapshot, len);

    if (at != NULL)
        memcpy(at, text, len);
    return at;
}

/* Return an element by its index. */
DOCA_PRIV_DECL struct doca_priv_apsh_element *
doca_priv_apsh_snapshot_at(struct doca_priv_apsh_snapshot *snapshot, uint32_t number)
{
    return (struct doca_priv_apsh_element *)doca_priv_apsh_pointers(snapshot)[number];
}

/* Return the string that was copied to the snapshot first. */
DOCA_PRIV_DECL const char *doca_priv_apsh_first_text(struct doca_priv_apsh_snapshot *snapshot)
{
    const enum doca_priv_apsh_kind kind = doca_priv_apsh_kind_of(snapshot->guard);

    return (const char *)(doca_priv_apsh_pointers(snapshot) + snapshot->max) +
           snapshot->max * doca_priv_apsh_element_bytes(kind);
}

DOCA_PRIV_DECL bool doca_priv_apsh_is_element(const void *element, enum doca_priv_apsh_kind kind)
{
    return element != NULL && ((const struct doca_priv_apsh_element *)element)->guard ==
                                  (DOCA_PRIV_APSH_ELEMENT | kind);
}

/* Return the value of an attribute, or NULL when the element does not have it. */
DOCA_PRIV_DECL const void *doca_priv_apsh_get(const void *element, enum doca_priv_apsh_kind kind,
                                              int attr, const char *function)
{
    const unsigned place = doca_priv_apsh_place(kind, attr);

    if (!doca_priv_apsh_is_element(element, kind)) {
        (void)DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, function);
        return NULL;
    }
    if (place == doca_priv_apsh_kinds[kind].num)
        return NULL;
    return (const void *)doca_priv_apsh_values(
        (const struct doca_priv_apsh_element *)element)[place];
}

/* part: src/compat/apsh/mem.c */
/* ---- >>impl.apsh.mem -------------------------------------------------------------------------
 * The cache and the DMA tasks that fill it. A block can be in any of DOCA_PRIV_APSH_WAYS slots; the
 * address of the block determines the slots. The library submits all reads of a batch before it
 * waits for the first of them. A failed task stops the DMA context; the next read starts the
 * context again.                                                                                */

#define DOCA_PRIV_APSH_PATIENCE 100000000u /* progress calls after which a device counts as stuck */

DOCA_PRIV_APSH_ASSERT(slot_has_its_size,
                      sizeof(struct doca_priv_apsh_slot) == DOCA_PRIV_APSH_SLOT_BYTES)

/* Return the bytes of a slot in the cache. */
static unsigned char *doca_priv_apsh_mem_block(const struct doca_priv_apsh_mem *mem,
                                               const struct doca_priv_apsh_slot *slot)
{
    return mem->blocks + (size_t)(slot - mem->slots) * DOCA_PRIV_APSH_BLOCK;
}

/* Release the buffers and the task of a finished read. */
static void doca_priv_apsh_mem_release(struct doca_dma_task_memcpy *task)
{
    struct doca_buf *src = (struct doca_buf *)(uintptr_t)doca_dma_task_memcpy_get_src(task);
    struct doca_buf *dst = doca_dma_task_memcpy_get_dst(task);

    doca_task_free(doca_dma_task_memcpy_as_task(task));
    (void)doca_buf_dec_refcount(src, NULL);
    (void)doca_buf_dec_refcount(dst, NULL);
}

static void doca_priv_apsh_mem_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
                                    union doca_data ctx_data)
{
    struct doca_priv_apsh_mem *mem = (struct doca_priv_apsh_mem *)ctx_data.ptr;
    struct doca_priv_apsh_slot *slot = (struct doca_priv_apsh_slot *)task_data.ptr;

    if (slot != NULL)
        slot->is_awaited = false;
    mem->num_inflight--;
    doca_priv_apsh_mem_release(task);
}

static void doca_priv_apsh_mem_failed(struct doca_dma_task_memcpy *task, union doca_data task_data,
                                      union doca_data ctx_data)
{
    struct doca_priv_apsh_mem *mem = (struct doca_priv_apsh_mem *)ctx_data.ptr;
    struct doca_priv_apsh_slot *slot = (struct doca_priv_apsh_slot *)task_data.ptr;

    if (slot != NULL)
        slot->era = 0;
    mem->has_failed = true;
    doca_priv_apsh_mem_done(task, task_data, ctx_data);
}

/* Make progress until the DMA context is in this state. */
static bool doca_priv_apsh_mem_await(struct doca_priv_apsh_mem *mem, enum doca_ctx_states wanted)
{
    enum doca_ctx_states state;
    uint32_t i;

    for (i = 0; i < DOCA_PRIV_APSH_PATIENCE; i++) {
        if (doca_ctx_get_state(doca_dma_as_ctx(mem->dma), &state) != DOCA_SUCCESS)
            return false;
        if (state == wanted)
            return true;
        (void)doca_pe_progress(mem->pe);
    }
    return false;
}

/* Start the DMA context, and wait until it runs. */
static doca_error_t doca_priv_apsh_mem_run(struct doca_priv_apsh_mem *mem)
{
    doca_error_t rc = doca_ctx_start(doca_dma_as_ctx(mem->dma));

    if (rc != DOCA_SUCCESS && rc != DOCA_ERROR_IN_PROGRESS)
        return rc;
    return doca_priv_apsh_mem_await(mem, DOCA_CTX_STATE_RUNNING) ? DOCA_SUCCESS
                                                                 : DOCA_ERROR_IO_FAILED;
}

/* Stop the DMA context, and wait until it is idle. */
static void doca_priv_apsh_mem_stop(struct doca_priv_apsh_mem *mem)
{
    enum doca_ctx_states state;

    if (doca_ctx_get_state(doca_dma_as_ctx(mem->dma), &state) != DOCA_SUCCESS)
        return;
    if (state == DOCA_CTX_STATE_RUNNING || state == DOCA_CTX_STATE_STARTING)
        (void)doca_ctx_stop(doca_dma_as_ctx(mem->dma));
    (void)doca_priv_apsh_mem_await(mem, DOCA_CTX_STATE_IDLE);
}

/* Wait for all reads in flight. After a failure the context is started again. */
static void doca_priv_apsh_mem_wait(struct doca_priv_apsh_mem *mem)
{
    uint32_t i;

    for (i = 0; i < DOCA_PRIV_APSH_PATIENCE && mem->num_inflight > 0; i++)
        (void)doca_pe_progress(mem->pe);
    if (mem->num_inflight > 0) /* the device is stuck: the call of the program reads no more */
        mem->budget = 0;
    if (mem->has_failed) {
        doca_priv_apsh_mem_stop(mem);
        (void)doca_priv_apsh_mem_run(mem);
        mem->has_failed = false;
    }
}

/* True when all of [addr, addr + len) is memory of the target. */
DOCA_PRIV_DECL bool doca_priv_apsh_mem_has(const struct doca_priv_apsh_mem *mem, uint64_t addr,
                                           uint64_t len)
{
    uint32_t i;

    for (i = 0; i < mem->num_regions; i++)
        if (addr >= mem->regions[i].addr && addr - mem->regions[i].addr <= mem->regions[i].len &&
            len <= mem->regions[i].len - (addr - mem->regions[i].addr))
            return true;
    return false;
}

/* Submit a read of [addr, addr + len), a range inside one region. The completion marks `slot`. */
static bool doca_priv_apsh_mem_submit(struct doca_priv_apsh_mem *mem, uint64_t addr, void *to,
                                      size_t len, struct doca_priv_apsh_slot *slot)
{
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src = NULL, *dst = NULL;
    union doca_data data;
    doca_error_t rc;

    if (mem->budget == 0)
        return false;
    data.ptr = slot;
    rc = doca_buf_inventory_buf_get_by_data(mem->inventory, mem->target, mem->base + addr, len,
                                            &src);
    if (rc == DOCA_SUCCESS)
        rc = doca_buf_inventory_buf_get_by_addr(mem->inventory, mem->local, to, len, &dst);
    if (rc == DOCA_SUCCESS)
        rc = doca_dma_task_memcpy_alloc_init(mem->dma, src, dst, data, &task);
    if (rc == DOCA_SUCCESS) {
        rc = doca_task_submit(doca_dma_task_memcpy_as_task(task));
        if (rc != DOCA_SUCCESS)
            doca_task_free(doca_dma_task_memcpy_as_task(task));
    }
    if (rc != DOCA_SUCCESS) {
        (void)doca_buf_dec_refcount(src, NULL);
        (void)doca_buf_dec_refcount(dst, NULL);
        return false;
    }
    mem->budget--;
    mem->num_inflight++;
    mem->stats.num_tasks++;
    mem->stats.num_bytes += len;
    return true;
}

/* Return the first of the slots in which the block with this byte can be. */
static struct doca_priv_apsh_slot *doca_priv_apsh_mem_set(const struct doca_priv_apsh_mem *mem,
                                                          uint64_t addr)
{
    const uint32_t num_sets = mem->num_slots / DOCA_PRIV_APSH_WAYS;
    const uint64_t mixed = (addr / DOCA_PRIV_APSH_BLOCK * 0x9e3779b97f4a7c15u) >> 32;

    return mem->slots + (mixed * num_sets >> 32) * DOCA_PRIV_APSH_WAYS;
}

/* Return the slot that contains the byte at `addr` or that a task is filling with it, or NULL. */
static const struct doca_priv_apsh_slot *
doca_priv_apsh_mem_find(const struct doca_priv_apsh_mem *mem, uint64_t addr)
{
    const struct doca_priv_apsh_slot *set = doca_priv_apsh_mem_set(mem, addr);
    uint32_t i;

    for (i = 0; i < DOCA_PRIV_APSH_WAYS; i++)
        if (doca_priv_apsh_mem_contains(mem, &set[i], addr))
            return &set[i];
    return NULL;
}

/* Choose a slot for the block with this byte, and return it: an unused slot, or else the next slot
 * that no task is filling. NULL: tasks are filling all these slots. */
static struct doca_priv_apsh_slot *doca_priv_apsh_mem_choose(struct doca_priv_apsh_mem *mem,
                                                             uint64_t addr)
{
    struct doca_priv_apsh_slot *set = doca_priv_apsh_mem_set(mem, addr), *slot;
    uint32_t i;

    for (i = 0; i < DOCA_PRIV_APSH_WAYS; i++)
        if (set[i].era != mem->era && set[i].era != DOCA_PRIV_APSH_VIEWED && !set[i].is_awaited)
            return &set[i];
    for (i = 0; i < DOCA_PRIV_APSH_WAYS; i++) {
        slot = &set[mem->next_way++ % DOCA_PRIV_APSH_WAYS];
        if (!slot->is_awaited)
            return slot;
    }
    return NULL;
}

/* Set the range to read for the byte at `addr`: its block or page, without the parts that are in
 * another region or in no region. Returns false when the target has no memory at `addr`. */
static bool doca_priv_apsh_mem_range(const struct doca_priv_apsh_mem *mem, uint64_t addr,
                                     struct doca_priv_apsh_slot *slot)
{
    const uint64_t first = addr & ~(uint64_t)(mem->unit - 1);
    uint64_t start, end;
    uint32_t i;

    for (i = 0; i < mem->num_regions; i++) {
        start = mem->regions[i].addr;
        end = start + mem->regions[i].len;
        if (addr < start || addr >= end)
            continue;
        slot->addr = first > start ? first : start;
        end = end - first < mem->unit ? end : first + mem->unit;
        slot->bytes = (uint32_t)(end - slot->addr);
        return true;
    }
    return false;
}

/* Let a slot refer to a range that this process can load directly from the target. The budget
 * counts this as a task, because it takes as many system calls as the range has pages. Returns
 * false when the range must be read by a task. */
static bool doca_priv_apsh_mem_view(struct doca_priv_apsh_mem *mem,
                                    const struct doca_priv_apsh_slot *range)
{
    struct doca_priv_apsh_slot *slot = NULL;
    const void *view = NULL;

    if (mem->budget > 0)
        (void)doca_core_mmap_get_view(mem->target, range->addr, range->bytes, &view);
    if (view != NULL)
        slot = doca_priv_apsh_mem_choose(mem, range->addr);
    if (slot == NULL)
        return false;
    mem->budget--;
    slot->addr = range->addr;
    slot->from = (const unsigned char *)view;
    slot->bytes = range->bytes;
    slot->era = DOCA_PRIV_APSH_VIEWED;
    return true;
}

/* Submit the read of a block that is not in the cache. */
static void doca_priv_apsh_mem_fill(struct doca_priv_apsh_mem *mem, uint64_t addr)
{
    struct doca_priv_apsh_slot *slot, range;

    if (!doca_priv_apsh_mem_range(mem, addr, &range) || doca_priv_apsh_mem_view(mem, &range))
        return;
    if (mem->num_inflight == DOCA_PRIV_APSH_DEPTH)
        doca_priv_apsh_mem_wait(mem);
    slot = doca_priv_apsh_mem_choose(mem, addr);
    if (slot == NULL) {
        doca_priv_apsh_mem_wait(mem);
        slot = doca_priv_apsh_mem_choose(mem, addr);
        if (slot == NULL) /* the device is stuck */
            return;
    }
    slot->era = 0;
    if (!doca_priv_apsh_mem_submit(mem, range.addr, doca_priv_apsh_mem_block(mem, slot),
                                   range.bytes, slot))
        return;
    slot->addr = range.addr;
    slot->from = doca_priv_apsh_mem_block(mem, slot);
    slot->bytes = range.bytes;
    slot->era = mem->era;
    slot->is_awaited = true;
}

/* Read the blocks with these addresses into the cache, as one batch. Addresses where the target has
 * no memory are skipped; after a failure the block is not in the cache. */
DOCA_PRIV_DECL void doca_priv_apsh_mem_fetch(struct doca_priv_apsh_mem *mem, const uint64_t *addrs,
                                             uint32_t num)
{
    uint32_t i;

    for (i = 0; i < num; i++)
        if (doca_priv_apsh_mem_find(mem, addrs[i]) == NULL)
            doca_priv_apsh_mem_fill(mem, addrs[i]);
    if (mem->num_inflight > 0)
        doca_priv_apsh_mem_wait(mem);
}

/* True when a recently accessed block contains the byte at `addr`. */
DOCA_PRIV_DECL bool doca_priv_apsh_mem_holds(const struct doca_priv_apsh_mem *mem, uint64_t addr)
{
    return doca_priv_apsh_mem_contains(mem, doca_priv_apsh_mem_latest(mem, addr), addr);
}

/* Read [addr, addr + len) if one recently accessed block contains all of it. Otherwise return false
 * and change nothing. */
DOCA_PRIV_DECL bool doca_priv_apsh_mem_take(struct doca_priv_apsh_mem *mem, uint64_t addr, void *to,
                                            size_t len)
{
    const struct doca_priv_apsh_slot *slot = doca_priv_apsh_mem_latest(mem, addr);
    const uint64_t at = addr - slot->addr;

    if (!doca_priv_apsh_mem_contains(mem, slot, addr) || len > slot->bytes - at || mem->steps == 0)
        return false;
    mem->steps--;
    mem->stats.num_hits++;
    memcpy(to, slot->from + at, len);
    DOCA_PRIV_APSH_LOADED(to);
    return true;
}

/* Return the slot in the cache that contains the byte at `addr`. When no slot contains it, return
 * an empty slot. The slot is valid until the next call that may read blocks. */
DOCA_PRIV_DECL const struct doca_priv_apsh_slot *
doca_priv_apsh_mem_present(struct doca_priv_apsh_mem *mem, uint64_t addr)
{
    static const struct doca_priv_apsh_slot none = { 0, NULL, 0, 0, false };
    const struct doca_priv_apsh_slot *slot = doca_priv_apsh_mem_latest(mem, addr);

    if (doca_priv_apsh_mem_contains(mem, slot, addr))
        return slot;
    slot = doca_priv_apsh_mem_find(mem, addr);
    if (slot == NULL || slot->is_awaited)
        return &none;
    mem->latest[addr / DOCA_PRIV_APSH_BLOCK % DOCA_PRIV_APSH_LATEST] = slot;
    return slot;
}

/* Return the address of [addr, addr + len) in this process if one slot contains all of it, or if
 * two neighbouring slots contain it and both refer to memory that is loaded from the target.
 * Otherwise return NULL. The address is valid as long as a slot of doca_priv_apsh_mem_present(). */
DOCA_PRIV_DECL const unsigned char *doca_priv_apsh_mem_window(struct doca_priv_apsh_mem *mem,
                                                              uint64_t addr, uint32_t len)
{
    const struct doca_priv_apsh_slot *slot = doca_priv_apsh_mem_present(mem, addr), *last;
    const uint64_t at = addr - slot->addr;

    if (at >= slot->bytes)
        return NULL;
    if (len > slot->bytes - at) {
        if (slot->era != DOCA_PRIV_APSH_VIEWED || len > DOCA_PRIV_APSH_BLOCK)
            return NULL;
        last = doca_priv_apsh_mem_present(mem, slot->addr + slot->bytes);
        if (last->era != DOCA_PRIV_APSH_VIEWED || last->addr != slot->addr + slot->bytes ||
            last->from != slot->from + slot->bytes || len - (slot->bytes - at) > last->bytes)
            return NULL;
    }
    return slot->from + at;
}

/* Return the slot with the byte at `addr`. If the block is not in the cache, it is read. Returns
 * NULL when the block cannot be read, or when the call of the program may make no further
 * access. */
static const struct doca_priv_apsh_slot *doca_priv_apsh_mem_access(struct doca_priv_apsh_mem *mem,
                                                                   uint64_t addr)
{
    const struct doca_priv_apsh_slot *slot;

    if (mem->steps == 0) {
        mem->budget = 0;
        return NULL;
    }
    mem->steps--;
    slot = doca_priv_apsh_mem_find(mem, addr);
    if (slot == NULL) {
        doca_priv_apsh_mem_fetch(mem, &addr, 1);
        slot = doca_priv_apsh_mem_find(mem, addr);
    } else {
        mem->stats.num_hits++;
    }
    if (slot != NULL && slot->is_awaited) /* the device is stuck: the slot has other bytes */
        return NULL;
    if (slot != NULL)
        mem->latest[addr / DOCA_PRIV_APSH_BLOCK % DOCA_PRIV_APSH_LATEST] = slot;
    return slot;
}

/* Read [addr, addr + len). NOT_FOUND: the target has no memory there. IO_FAILED: a task failed, or
 * the budget of the call is used up. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_mem_read(struct doca_priv_apsh_mem *mem, uint64_t addr,
                                                    void *to, size_t len)
{
    const struct doca_priv_apsh_slot *slot;
    unsigned char *out = (unsigned char *)to;
    size_t at, n;

    if (doca_priv_apsh_mem_take(mem, addr, to, len))
        return DOCA_SUCCESS;
    if (!doca_priv_apsh_mem_has(mem, addr, len))
        return DOCA_ERROR_NOT_FOUND;
    for (; len > 0; addr += n, out += n, len -= n) {
        slot = doca_priv_apsh_mem_access(mem, addr);
        if (slot == NULL)
            return DOCA_ERROR_IO_FAILED;
        at = (size_t)(addr - slot->addr);
        n = slot->bytes - at < len ? slot->bytes - at : len;
        memcpy(out, slot->from + at, n);
    }
    DOCA_PRIV_APSH_LOADED(to);
    return DOCA_SUCCESS;
}

/* Read DOCA_PRIV_APSH_PROBE bytes at `addr` and at the same offset of the following pages, `num`
 * pages in total, at most DOCA_PRIV_APSH_DEPTH, in one batch. Returns the bytes of all pages one
 * after the other, valid until the next probe; bytes that cannot be read are 0. */
DOCA_PRIV_DECL const unsigned char *doca_priv_apsh_mem_probe(struct doca_priv_apsh_mem *mem,
                                                             uint64_t addr, uint32_t num)
{
    unsigned char *area = mem->blocks + (size_t)mem->num_slots * DOCA_PRIV_APSH_BLOCK;
    uint32_t i;

    memset(area, 0, DOCA_PRIV_APSH_DEPTH * DOCA_PRIV_APSH_PROBE);
    for (i = 0; i < num; i++, addr += DOCA_PRIV_APSH_PAGE)
        if (doca_priv_apsh_mem_has(mem, addr, DOCA_PRIV_APSH_PROBE))
            (void)doca_priv_apsh_mem_submit(mem, addr, area + i * DOCA_PRIV_APSH_PROBE,
                                            DOCA_PRIV_APSH_PROBE, NULL);
    doca_priv_apsh_mem_wait(mem);
    return area;
}

/* Drop the cache, so that all blocks are read again. */
DOCA_PRIV_DECL void doca_priv_apsh_mem_drop(struct doca_priv_apsh_mem *mem)
{
    uint32_t i;

    if (++mem->era != DOCA_PRIV_APSH_VIEWED)
        return;
    for (i = 0; i < mem->num_slots; i++)
        if (mem->slots[i].era != DOCA_PRIV_APSH_VIEWED)
            mem->slots[i].era = 0;
    mem->era = 1;
}

/* Begin a call of the program: drop the cache, and set the number of DMA tasks that the call may
 * submit. The limit of accesses to blocks is computed from it, so that blocks in the cache cannot
 * keep a call busy forever. Tasks then read whole blocks. */
DOCA_PRIV_DECL void doca_priv_apsh_mem_begin(struct doca_priv_apsh_mem *mem, uint64_t budget)
{
    mem->budget = budget;
    mem->steps = budget * DOCA_PRIV_APSH_STEPS;
    mem->unit = mem->max_unit;
    doca_priv_apsh_mem_drop(mem);
}

/* Let tasks read single pages from now on, for a call that needs whole pages but not their
 * neighbours. */
DOCA_PRIV_DECL void doca_priv_apsh_mem_by_page(struct doca_priv_apsh_mem *mem)
{
    mem->unit = mem->max_unit < DOCA_PRIV_APSH_PAGE ? mem->max_unit : DOCA_PRIV_APSH_PAGE;
}

/* Make an mmap of the target's memory, and store its regions. */
static doca_error_t doca_priv_apsh_mem_open_target(struct doca_priv_apsh_mem *mem,
                                                   struct doca_dev *dev, struct doca_dev_rep *rep)
{
    doca_error_t rc = doca_core_mmap_create_from_rep_in(mem->arena, dev, rep, &mem->target);
    void *base = NULL;
    uint32_t i;
    size_t len;

    if (rc == DOCA_SUCCESS)
        rc = doca_mmap_get_memrange(mem->target, &base, &len);
    if (rc == DOCA_SUCCESS)
        rc = doca_core_mmap_get_num_regions(mem->target, &mem->num_regions);
    mem->base = (unsigned char *)base;
    mem->regions = mem->device_regions;
    for (i = 0; rc == DOCA_SUCCESS && i < mem->num_regions; i++)
        rc = doca_core_mmap_get_region(mem->target, i, &mem->device_regions[i]);
    return rc;
}

/* Allocate the memory of the cache, and register it. */
static doca_error_t doca_priv_apsh_mem_open_cache(struct doca_priv_apsh_mem *mem,
                                                  struct doca_dev *dev)
{
    const size_t bytes =
        (size_t)mem->num_slots * DOCA_PRIV_APSH_BLOCK + DOCA_PRIV_APSH_DEPTH * DOCA_PRIV_APSH_PROBE;
    void *block = NULL;
    uint32_t i;
    doca_error_t rc = doca_priv_apsh_take(mem->arena, mem->num_slots * sizeof(*mem->slots), &block);

    mem->slots = (struct doca_priv_apsh_slot *)block;
    for (i = 0; i < DOCA_PRIV_APSH_LATEST; i++)
        mem->latest[i] = mem->slots;
    block = NULL;
    if (rc == DOCA_SUCCESS)
        rc = doca_core_arena_take(mem->arena, bytes, &block);
    mem->blocks = (unsigned char *)block;
    if (rc == DOCA_SUCCESS)
        rc = doca_core_mmap_create_in(mem->arena, &mem->local);
    if (rc == DOCA_SUCCESS)
        rc = doca_mmap_set_memrange(mem->local, mem->blocks, bytes);
    if (rc == DOCA_SUCCESS)
        rc = doca_mmap_add_dev(mem->local, dev);
    return rc == DOCA_SUCCESS ? doca_mmap_start(mem->local) : rc;
}

/* Choose how much a task reads at most: a block, or the largest power of two that the device
 * allows. */
static doca_error_t doca_priv_apsh_mem_choose_unit(struct doca_priv_apsh_mem *mem,
                                                   struct doca_dev *dev)
{
    uint64_t max = 0;
    doca_error_t rc = doca_dma_cap_task_memcpy_get_max_buf_size(doca_dev_as_devinfo(dev), &max);

    mem->max_unit = DOCA_PRIV_APSH_BLOCK;
    while (mem->max_unit > max && mem->max_unit > 1)
        mem->max_unit /= 2;
    mem->unit = mem->max_unit;
    return rc;
}

/* Open the DMA context with its progress engine and buffers, and start it. */
static doca_error_t doca_priv_apsh_mem_open_dma(struct doca_priv_apsh_mem *mem,
                                                struct doca_dev *dev)
{
    union doca_data data;
    doca_error_t rc =
        doca_core_buf_inventory_create_in(mem->arena, 2 * DOCA_PRIV_APSH_DEPTH, &mem->inventory);

    data.ptr = mem;
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_mem_choose_unit(mem, dev);
    if (rc == DOCA_SUCCESS)
        rc = doca_buf_inventory_start(mem->inventory);
    if (rc == DOCA_SUCCESS)
        rc = doca_core_pe_create_in(mem->arena, &mem->pe);
    if (rc == DOCA_SUCCESS)
        rc = doca_core_dma_create_in(mem->arena, dev, &mem->dma);
    if (rc == DOCA_SUCCESS)
        rc = doca_pe_connect_ctx(mem->pe, doca_dma_as_ctx(mem->dma));
    if (rc == DOCA_SUCCESS)
        rc = doca_ctx_set_user_data(doca_dma_as_ctx(mem->dma), data);
    if (rc == DOCA_SUCCESS)
        rc = doca_dma_task_memcpy_set_conf(mem->dma, doca_priv_apsh_mem_done,
                                           doca_priv_apsh_mem_failed, DOCA_PRIV_APSH_DEPTH);
    return rc == DOCA_SUCCESS ? doca_priv_apsh_mem_run(mem) : rc;
}

/* Open the memory of a target. `num_pages` is a multiple of DOCA_PRIV_APSH_BLOCK_PAGES, and is
 * sufficient for at least DOCA_PRIV_APSH_WAYS blocks. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_mem_open(struct doca_priv_apsh_mem *mem,
                                                    struct doca_core_arena *arena,
                                                    struct doca_dev *dev, struct doca_dev_rep *rep,
                                                    uint32_t num_pages)
{
    doca_error_t rc;

    memset(mem, 0, sizeof(*mem));
    mem->arena = arena;
    mem->num_slots = num_pages / DOCA_PRIV_APSH_BLOCK_PAGES;
    rc = doca_priv_apsh_mem_open_target(mem, dev, rep);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_mem_open_cache(mem, dev);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_mem_open_dma(mem, dev);
    if (rc != DOCA_SUCCESS)
        doca_priv_apsh_mem_close(mem);
    return rc;
}

/* Close the memory of a target, in the reverse order of opening it. */
DOCA_PRIV_DECL void doca_priv_apsh_mem_close(struct doca_priv_apsh_mem *mem)
{
    if (mem->dma != NULL) {
        if (mem->pe != NULL)
            doca_priv_apsh_mem_stop(mem);
        (void)doca_dma_destroy(mem->dma);
    }
    if (mem->pe != NULL)
        (void)doca_pe_destroy(mem->pe);
    if (mem->inventory != NULL)
        (void)doca_buf_inventory_destroy(mem->inventory);
    if (mem->local != NULL)
        (void)doca_mmap_destroy(mem->local);
    doca_priv_apsh_give(mem->arena, mem->allowed);
    doca_priv_apsh_give(mem->arena, mem->blocks);
    doca_priv_apsh_give(mem->arena, mem->slots);
    if (mem->target != NULL)
        (void)doca_mmap_destroy(mem->target);
    memset(mem, 0, sizeof(*mem));
}

/* part: src/compat/apsh/bytes.c */
/* ---- >>impl.apsh.bytes -----------------------------------------------------------------------
 * Sequential reading, and numbers of the target, whose byte order is little-endian.             */

#define DOCA_PRIV_APSH_AHEAD 16u /* pages that are read ahead in one batch */

DOCA_PRIV_DECL uint32_t doca_priv_apsh_u32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

DOCA_PRIV_DECL uint64_t doca_priv_apsh_u64(const unsigned char *at)
{
    return doca_priv_apsh_u32(at) | (uint64_t)doca_priv_apsh_u32(at + 4) << 32;
}

DOCA_PRIV_DECL void doca_priv_apsh_bytes_begin(struct doca_priv_apsh_bytes *bytes,
                                               struct doca_priv_apsh_mem *mem, uint64_t addr,
                                               uint64_t len)
{
    bytes->mem = mem;
    bytes->addr = addr;
    bytes->len = len;
    bytes->at = 0;
    bytes->filled = 0;
}

/* Count `num` steps of work on bytes that the cache has. Returns false when the call has no steps
 * left; it then submits no further reads. */
DOCA_PRIV_DECL bool doca_priv_apsh_bytes_spend(struct doca_priv_apsh_bytes *bytes, uint64_t num)
{
    struct doca_priv_apsh_mem *mem = bytes->mem;

    if (mem->steps < num) {
        mem->steps = mem->budget = 0;
        return false;
    }
    mem->steps -= num;
    return true;
}

/* Move the window to `at`. */
static bool doca_priv_apsh_bytes_move(struct doca_priv_apsh_bytes *bytes, uint64_t at)
{
    uint64_t ahead[DOCA_PRIV_APSH_AHEAD];
    uint32_t num;

    bytes->at = at;
    bytes->filled = 0;
    for (num = 0; num < DOCA_PRIV_APSH_AHEAD; num++) {
        ahead[num] = bytes->addr + at + num * (uint64_t)DOCA_PRIV_APSH_PAGE;
        if (at + num * (uint64_t)DOCA_PRIV_APSH_PAGE >= bytes->len)
            break;
    }
    doca_priv_apsh_mem_fetch(bytes->mem, ahead, num);
    num = bytes->len - at < sizeof(bytes->window) ? (uint32_t)(bytes->len - at)
                                                  : (uint32_t)sizeof(bytes->window);
    if (doca_priv_apsh_mem_read(bytes->mem, bytes->addr + at, bytes->window, num) != DOCA_SUCCESS)
        return false;
    bytes->filled = num;
    return true;
}

/* Return `len` bytes at `at`, at most a page; valid until the next call. NULL: the range ends
 * before, the bytes cannot be read, or the call of the program has no steps left. Each call of this
 * function is a step: data of a hostile target that refers to itself makes the start of a system
 * fail, and does not keep it busy forever. */
DOCA_PRIV_DECL const unsigned char *doca_priv_apsh_bytes_get(struct doca_priv_apsh_bytes *bytes,
                                                             uint64_t at, size_t len)
{
    if (at > bytes->len || len > bytes->len - at || len > sizeof(bytes->window) ||
        !doca_priv_apsh_bytes_spend(bytes, 1))
        return NULL;
    if ((at < bytes->at || at - bytes->at > bytes->filled ||
         len > bytes->filled - (size_t)(at - bytes->at)) &&
        !doca_priv_apsh_bytes_move(bytes, at))
        return NULL;
    return bytes->window + (at - bytes->at);
}

/* Return the bytes of the window from `at` on, and their number, which is at least one. NULL: `at`
 * is the end of the range, or the bytes cannot be read. */
DOCA_PRIV_DECL const unsigned char *doca_priv_apsh_bytes_some(struct doca_priv_apsh_bytes *bytes,
                                                              uint64_t at, size_t *len)
{
    const unsigned char *found = doca_priv_apsh_bytes_get(bytes, at, 1);

    if (found != NULL)
        *len = bytes->filled - (size_t)(at - bytes->at);
    return found;
}

/* part: src/compat/apsh/walk.c */
/* ---- >>impl.apsh.walk ------------------------------------------------------------------------
 * Page tables of x86-64 with 4 or 5 levels. A walk reads one entry for each level, so its length is
 * bounded even when tables refer to themselves; each entry is read only if it is in memory of the
 * target. To support another processor, replace doca_priv_apsh_walk_span(); the rest of this file
 * stays the same.                                                                               */

#define DOCA_PRIV_APSH_ENTRY_ADDR 0x000ffffffffff000u /* physical address in an entry */
#define DOCA_PRIV_APSH_PRESENT 1u
#define DOCA_PRIV_APSH_LEAF 0x80u /* the entry maps a page of 2 MiB or 1 GiB */

/* Translate a virtual address by the page directory at `root`. NOT_FOUND: the address is not
 * canonical or not mapped, or a table is not in memory of the target. *span receives a number of
 * low bits: addresses that differ only in these bits are all mapped, as one page, or all not
 * mapped. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_walk_span(struct doca_priv_apsh_kernel *kernel,
                                                     uint64_t root, uint64_t addr,
                                                     uint64_t *physical, unsigned *span)
{
    const unsigned top = kernel->has_5_levels ? 56 : 47; /* index of the highest significant bit;
                                                          * all higher bits must equal it */
    const uint64_t sign = addr >> top;
    uint64_t entry, table = root & DOCA_PRIV_APSH_ENTRY_ADDR;
    doca_error_t rc;
    unsigned shift;

    *span = top;
    if (sign != 0 && sign != UINT64_MAX >> top)
        return DOCA_ERROR_NOT_FOUND;
    for (shift = kernel->has_5_levels ? 48 : 39; shift >= 12; shift -= 9) {
        *span = shift;
        rc = doca_priv_apsh_mem_read(&kernel->mem, table + (addr >> shift & 511) * sizeof(entry),
                                     &entry, sizeof(entry));
        if (rc != DOCA_SUCCESS)
            return rc;
        if ((entry & DOCA_PRIV_APSH_PRESENT) == 0)
            return DOCA_ERROR_NOT_FOUND;
        table = entry & DOCA_PRIV_APSH_ENTRY_ADDR;
        if (shift == 12 || (shift <= 30 && (entry & DOCA_PRIV_APSH_LEAF) != 0)) {
            const uint64_t inside = ((uint64_t)1 << shift) - 1;

            *physical = (table & ~inside) | (addr & inside);
            return DOCA_SUCCESS;
        }
    }
    return DOCA_ERROR_NOT_FOUND;
}

/* Translate a virtual address by the page directory at `root`. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_walk(struct doca_priv_apsh_kernel *kernel, uint64_t root,
                                                uint64_t addr, uint64_t *physical)
{
    unsigned span;

    return doca_priv_apsh_walk_span(kernel, root, addr, physical, &span);
}

/* True when a recently accessed block contains the byte at `addr` of the direct map. */
DOCA_PRIV_DECL bool doca_priv_apsh_is_near(const struct doca_priv_apsh_kernel *kernel,
                                           uint64_t addr)
{
    return doca_priv_apsh_may_be_direct(kernel, addr) &&
           doca_priv_apsh_mem_holds(&kernel->mem, addr - kernel->direct);
}

/* Translate an address of the kernel. Addresses in the image and in the direct map need no walk. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_translate(struct doca_priv_apsh_kernel *kernel,
                                                     uint64_t addr, uint64_t *physical)
{
    if (addr >= kernel->image_start && addr < kernel->image_end) {
        *physical = addr - kernel->delta;
        return DOCA_SUCCESS;
    }
    if (doca_priv_apsh_may_be_direct(kernel, addr) &&
        doca_priv_apsh_mem_has(&kernel->mem, addr - kernel->direct, 1)) {
        *physical = addr - kernel->direct;
        return DOCA_SUCCESS;
    }
    return doca_priv_apsh_walk(kernel, kernel->root, addr, physical);
}

/* Read memory of the kernel. NOT_FOUND: a part is not mapped. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_read(struct doca_priv_apsh_kernel *kernel, uint64_t addr,
                                                void *to, size_t len)
{
    unsigned char *out = (unsigned char *)to;
    uint64_t physical;
    doca_error_t rc;
    size_t n;

    if (doca_priv_apsh_may_be_direct(kernel, addr) &&
        doca_priv_apsh_mem_take(&kernel->mem, addr - kernel->direct, to, len))
        return DOCA_SUCCESS;
    for (; len > 0; addr += n, out += n, len -= n) {
        n = DOCA_PRIV_APSH_PAGE - (size_t)(addr % DOCA_PRIV_APSH_PAGE);
        n = n < len ? n : len;
        rc = doca_priv_apsh_translate(kernel, addr, &physical);
        if (rc == DOCA_SUCCESS)
            rc = doca_priv_apsh_mem_read(&kernel->mem, physical, out, n);
        if (rc != DOCA_SUCCESS)
            return rc;
    }
    return DOCA_SUCCESS;
}

/* Find the image by the page directory: the first multiple of 2 MiB that is mapped, and the
 * contiguous memory after it. Sets delta, image_start and image_end. */
DOCA_PRIV_DECL bool doca_priv_apsh_find_image(struct doca_priv_apsh_kernel *kernel)
{
    uint64_t addr = DOCA_PRIV_APSH_IMAGE_FIRST, physical;
    unsigned i;

    kernel->image_start = kernel->image_end = 0;
    for (i = 0; i < DOCA_PRIV_APSH_IMAGE_STEPS; i++, addr += DOCA_PRIV_APSH_IMAGE_STEP) {
        if (doca_priv_apsh_walk(kernel, kernel->root, addr, &physical) != DOCA_SUCCESS ||
            (kernel->image_start != 0 && addr - physical != kernel->delta)) {
            if (kernel->image_start != 0)
                break;
            continue;
        }
        if (kernel->image_start == 0) {
            kernel->image_start = addr;
            kernel->delta = addr - physical;
        }
        kernel->image_end = addr + DOCA_PRIV_APSH_IMAGE_STEP;
    }
    return kernel->image_start != 0 &&
           doca_priv_apsh_mem_has(&kernel->mem, kernel->image_start - kernel->delta,
                                  kernel->image_end - kernel->image_start);
}

/* part: src/compat/apsh/btf.c */
/* ---- >>impl.apsh.btf -------------------------------------------------------------------------
 * Type information of the kernel in the format BTF: a header, types of different lengths, and
 * strings. One pass over the strings finds the names that the start looks for, and one pass over
 * the types checks all types and finds the structures. After the first pass, names are compared by
 * their offsets in the strings.                                                                 */

#define DOCA_PRIV_APSH_BTF_HEAD 24u
#define DOCA_PRIV_APSH_BTF_DEPTH 16u /* nested anonymous members, and modifiers of a type */

enum {
    DOCA_PRIV_APSH_BTF_ARRAY = 3,
    DOCA_PRIV_APSH_BTF_STRUCT = 4,
    DOCA_PRIV_APSH_BTF_UNION = 5,
    DOCA_PRIV_APSH_BTF_KINDS = 20
};

/* Number of bytes that follow the head of a type: a fixed part, and a part for each element. */
static const struct {
    uint8_t fixed, each;
} doca_priv_apsh_btf_kinds[DOCA_PRIV_APSH_BTF_KINDS] = {
    { 0, 0 },  { 4, 0 }, { 0, 0 }, { 12, 0 }, { 0, 12 }, { 0, 12 }, { 0, 8 },
    { 0, 0 },  { 0, 0 }, { 0, 0 }, { 0, 0 },  { 0, 0 },  { 0, 0 },  { 0, 8 },
    { 4, 0 },  { 0, 12 }, { 0, 0 }, { 4, 0 }, { 0, 0 },  { 0, 12 },
};

struct doca_priv_apsh_type {
    uint32_t name;
    unsigned kind;
    uint32_t num;  /* elements */
    uint32_t size; /* bytes, or the type that a modifier refers to */
    bool has_bits; /* the offsets of members include bit field sizes: size << 24 | offset */
};

static bool doca_priv_apsh_btf_type(struct doca_priv_apsh_btf *btf, uint32_t at,
                                    struct doca_priv_apsh_type *type)
{
    const unsigned char *head = doca_priv_apsh_bytes_get(&btf->types, at, 12);
    uint32_t info;

    if (head == NULL)
        return false;
    info = doca_priv_apsh_u32(head + 4);
    type->name = doca_priv_apsh_u32(head);
    type->kind = info >> 24 & 31;
    type->num = info & 0xffff;
    type->size = doca_priv_apsh_u32(head + 8);
    type->has_bits = info >> 31 != 0;
    return type->kind != 0 && type->kind < DOCA_PRIV_APSH_BTF_KINDS;
}

static uint32_t doca_priv_apsh_btf_bytes(const struct doca_priv_apsh_type *type)
{
    return 12u + doca_priv_apsh_btf_kinds[type->kind].fixed +
           type->num * doca_priv_apsh_btf_kinds[type->kind].each;
}

static uint32_t doca_priv_apsh_hash(const char *text, uint32_t len, uint32_t hash)
{
    for (; len > 0; len--)
        hash = (hash ^ (unsigned char)*text++) * 16777619u;
    return hash;
}

/* Return the number of a name that the start looks for, or num_names. */
static uint32_t doca_priv_apsh_btf_name(const struct doca_priv_apsh_btf *btf, const char *text,
                                        uint32_t len)
{
    const uint32_t hash = doca_priv_apsh_hash(text, len, 2166136261u);
    uint32_t i = btf->buckets[hash % DOCA_PRIV_APSH_BUCKETS];

    for (; i != 0; i = btf->names[i - 1].next)
        if (btf->names[i - 1].len == len && memcmp(btf->names[i - 1].text, text, len) == 0)
            return i - 1;
    return btf->num_names;
}

/* Add the parts of a path, which dots separate, to the names to look for. Brackets at the end of
 * the path are left out. */
DOCA_PRIV_DECL void doca_priv_apsh_btf_want(struct doca_priv_apsh_btf *btf, const char *path)
{
    uint32_t len, hash;

    for (; path != NULL; path = path[len] == '.' ? path + len + 1 : NULL) {
        len = (uint32_t)strcspn(path, ".[");
        if (len == 0 || doca_priv_apsh_btf_name(btf, path, len) != btf->num_names ||
            btf->num_names == DOCA_PRIV_APSH_NAMES)
            continue;
        hash = doca_priv_apsh_hash(path, len, 2166136261u) % DOCA_PRIV_APSH_BUCKETS;
        btf->names[btf->num_names].text = path;
        btf->names[btf->num_names].len = len;
        btf->names[btf->num_names].next = btf->buckets[hash];
        btf->buckets[hash] = ++btf->num_names;
    }
}

/* Find the offsets of the names in the strings. A string that does not fit into one window is
 * longer than every name. */
static bool doca_priv_apsh_btf_strings(struct doca_priv_apsh_btf *btf)
{
    const unsigned char *some, *end;
    uint64_t at = 0;
    uint32_t name, len;
    size_t n;

    while (at < btf->strings.len) {
        some = doca_priv_apsh_bytes_some(&btf->strings, at, &n);
        if (some == NULL)
            return false;
        end = (const unsigned char *)memchr(some, '\0', n);
        if (end == NULL && btf->strings.at != at) { /* begin the window at this string */
            btf->strings.filled = 0;
            continue;
        }
        len = (uint32_t)(end != NULL ? (size_t)(end - some) : n);
        name = doca_priv_apsh_btf_name(btf, (const char *)some, len);
        if (end != NULL && name != btf->num_names && btf->names[name].place == 0)
            btf->names[name].place = (uint32_t)at;
        at += len + (end != NULL);
    }
    return true;
}

/* Check all types, mark some of them, and find the structures. */
static bool doca_priv_apsh_btf_types(struct doca_priv_apsh_btf *btf)
{
    struct doca_priv_apsh_type type;
    uint32_t at = 0, i, number = 1;

    for (; at < btf->types.len; at += doca_priv_apsh_btf_bytes(&type), number++) {
        if (!doca_priv_apsh_btf_type(btf, at, &type) || type.name >= btf->strings.len ||
            doca_priv_apsh_btf_bytes(&type) > btf->types.len - at ||
            number / DOCA_PRIV_APSH_MARK >= DOCA_PRIV_APSH_MARKS)
            return false;
        if (number % DOCA_PRIV_APSH_MARK == 0)
            btf->marks[number / DOCA_PRIV_APSH_MARK] = at;
        if (type.kind != DOCA_PRIV_APSH_BTF_STRUCT || type.name == 0)
            continue;
        for (i = 0; i < btf->num_names; i++)
            if (btf->names[i].place == type.name && btf->names[i].type == 0)
                btf->names[i].type = at + 1;
    }
    btf->num_types = number;
    return true;
}

/* Read type information of at most `len` bytes at the physical address `addr`. Returns false
 * when it is malformed. */
DOCA_PRIV_DECL bool doca_priv_apsh_btf_read(struct doca_priv_apsh_kernel *kernel,
                                            struct doca_priv_apsh_btf *btf, uint64_t addr,
                                            uint64_t len)
{
    uint32_t head_len, type_at, type_len, string_at, string_len;
    unsigned char head[DOCA_PRIV_APSH_BTF_HEAD];

    memset(btf, 0, sizeof(*btf));
    if (len < sizeof(head) || len > UINT32_MAX ||
        doca_priv_apsh_mem_read(&kernel->mem, addr, head, sizeof(head)) != DOCA_SUCCESS)
        return false;
    head_len = doca_priv_apsh_u32(head + 4);
    type_at = doca_priv_apsh_u32(head + 8);
    type_len = doca_priv_apsh_u32(head + 12);
    string_at = doca_priv_apsh_u32(head + 16);
    string_len = doca_priv_apsh_u32(head + 20);
    if (head[0] != 0x9f || head[1] != 0xeb || head[2] != 1 || head_len < sizeof(head) ||
        head_len > len || type_at > len - head_len || type_len > len - head_len - type_at ||
        string_at > len - head_len || string_len > len - head_len - string_at ||
        !doca_priv_apsh_mem_has(&kernel->mem, addr, len))
        return false;
    doca_priv_apsh_bytes_begin(&btf->types, &kernel->mem, addr + head_len + type_at, type_len);
    doca_priv_apsh_bytes_begin(&btf->strings, &kernel->mem, addr + head_len + string_at,
                               string_len);
    doca_priv_apsh_layout_names(btf);
    return doca_priv_apsh_btf_strings(btf) && doca_priv_apsh_btf_types(btf);
}

/* Return the place of a type, found from the mark before it, or UINT32_MAX. */
static uint32_t doca_priv_apsh_btf_place(struct doca_priv_apsh_btf *btf, uint32_t number)
{
    uint32_t i = number / DOCA_PRIV_APSH_MARK * DOCA_PRIV_APSH_MARK, at;
    struct doca_priv_apsh_type type;

    if (number == 0 || number >= btf->num_types)
        return UINT32_MAX;
    at = btf->marks[number / DOCA_PRIV_APSH_MARK];
    for (i = i == 0 ? 1 : i; i < number; i++) {
        if (!doca_priv_apsh_btf_type(btf, at, &type))
            return UINT32_MAX;
        at += doca_priv_apsh_btf_bytes(&type);
    }
    return at;
}

/* Follow typedefs, qualifiers and tags to the place of a structure, union or array, or
 * UINT32_MAX. */
static uint32_t doca_priv_apsh_btf_strip(struct doca_priv_apsh_btf *btf, uint32_t number,
                                         bool is_array)
{
    struct doca_priv_apsh_type type;
    unsigned i;
    uint32_t at;

    for (i = 0; i < DOCA_PRIV_APSH_BTF_DEPTH; i++) {
        at = doca_priv_apsh_btf_place(btf, number);
        if (at == UINT32_MAX || !doca_priv_apsh_btf_type(btf, at, &type))
            return UINT32_MAX;
        if (is_array ? type.kind == DOCA_PRIV_APSH_BTF_ARRAY
                     : type.kind == DOCA_PRIV_APSH_BTF_STRUCT ||
                           type.kind == DOCA_PRIV_APSH_BTF_UNION)
            return at;
        if ((type.kind < 8 || type.kind > 11) && type.kind != 18)
            return UINT32_MAX;
        number = type.size;
    }
    return UINT32_MAX;
}

/* One level of a search for a member: the structure to search, or an anonymous structure or union
 * in the level above. */
struct doca_priv_apsh_level {
    uint32_t at;
    uint32_t next; /* member to compare next */
    uint32_t bits; /* place in the outermost structure */
};

/* Find a member of the structure at `at`, also in its anonymous members. *bits receives its place,
 * *number its type. */
static bool doca_priv_apsh_btf_find(struct doca_priv_apsh_btf *btf, uint32_t at, uint32_t name,
                                    uint32_t *bits, uint32_t *number)
{
    struct doca_priv_apsh_level levels[DOCA_PRIV_APSH_BTF_DEPTH];
    struct doca_priv_apsh_type type;
    const unsigned char *member;
    unsigned depth = 1, steps = 0;
    uint32_t place, text, inner;

    levels[0].at = at;
    levels[0].next = 0;
    levels[0].bits = *bits;
    while (depth > 0 && steps++ < 65536) {
        struct doca_priv_apsh_level *level = &levels[depth - 1];

        if (!doca_priv_apsh_btf_type(btf, level->at, &type))
            return false;
        if (level->next == type.num) {
            depth--;
            continue;
        }
        member = doca_priv_apsh_bytes_get(&btf->types, level->at + 12 + 12 * level->next++, 12);
        if (member == NULL)
            return false;
        text = doca_priv_apsh_u32(member);
        *number = doca_priv_apsh_u32(member + 4);
        place = doca_priv_apsh_u32(member + 8);
        place = level->bits + (type.has_bits ? place & 0xffffff : place);
        if (text == name && name != 0) {
            *bits = place;
            return true;
        }
        inner = text == 0 && depth < DOCA_PRIV_APSH_BTF_DEPTH
                    ? doca_priv_apsh_btf_strip(btf, *number, false)
                    : UINT32_MAX;
        if (inner != UINT32_MAX) {
            levels[depth].at = inner;
            levels[depth].next = 0;
            levels[depth++].bits = place;
        }
    }
    return false;
}

/* Return the number of elements of an array type, or -1. */
static int32_t doca_priv_apsh_btf_elements(struct doca_priv_apsh_btf *btf, uint32_t number)
{
    const uint32_t at = doca_priv_apsh_btf_strip(btf, number, true);
    const unsigned char *array =
        at != UINT32_MAX ? doca_priv_apsh_bytes_get(&btf->types, at + 12, 12) : NULL;
    const uint32_t num = array != NULL ? doca_priv_apsh_u32(array + 8) : UINT32_MAX;

    return num < 65536 ? (int32_t)num : -1;
}

/* Return the offset in bytes of a member of a structure, as "member" or "member.member"; with "[]"
 * appended, its number of elements; for "", the bytes of the structure. -1: there is no such
 * member. */
DOCA_PRIV_DECL int32_t doca_priv_apsh_btf_member(struct doca_priv_apsh_btf *btf, const char *type,
                                                 const char *path)
{
    uint32_t name = doca_priv_apsh_btf_name(btf, type, (uint32_t)strlen(type));
    uint32_t bits = 0, number = 0, len, at;
    struct doca_priv_apsh_type whole;

    if (name == btf->num_names || btf->names[name].type == 0)
        return -1;
    at = btf->names[name].type - 1;
    if (path[0] == '\0')
        return doca_priv_apsh_btf_type(btf, at, &whole) && whole.size < 65536 ? (int32_t)whole.size
                                                                              : -1;
    for (;; path += len + 1) {
        len = (uint32_t)strcspn(path, ".[");
        name = doca_priv_apsh_btf_name(btf, path, len);
        if (name == btf->num_names ||
            !doca_priv_apsh_btf_find(btf, at, btf->names[name].place, &bits, &number))
            return -1;
        if (path[len] == '[')
            return doca_priv_apsh_btf_elements(btf, number);
        if (path[len] == '\0')
            return bits % 8 == 0 && bits / 8 < 65536 ? (int32_t)(bits / 8) : -1;
        at = doca_priv_apsh_btf_strip(btf, number, false);
        if (at == UINT32_MAX)
            return -1;
    }
}

/* part: src/compat/apsh/layout.c */
/* ---- >>impl.apsh.layout ----------------------------------------------------------------------
 * The offsets of all members that the lists read, looked up once at the start of a system. A member
 * that has another name in other versions of the kernel is looked up by both.                   */

/* The structures and members that the lists read. */
static const struct {
    const char *type, *member, *other;
    bool must;
} doca_priv_apsh_members[DOCA_PRIV_APSH_NUM_MEMBERS] = {
#define DOCA_PRIV_APSH_MEMBER_ROW(name, type, member, other, must) { type, member, other, must },
    DOCA_PRIV_APSH_MEMBERS(DOCA_PRIV_APSH_MEMBER_ROW)
#undef DOCA_PRIV_APSH_MEMBER_ROW
};

/* Return the name of a member. */
DOCA_PRIV_DECL const char *doca_priv_apsh_layout_name(unsigned member)
{
    return doca_priv_apsh_members[member].member;
}

/* Add all names that the lists need to the names that the search for type information finds. */
DOCA_PRIV_DECL void doca_priv_apsh_layout_names(struct doca_priv_apsh_btf *btf)
{
    size_t i;

    for (i = 0; i < DOCA_PRIV_APSH_NUM_MEMBERS; i++) {
        doca_priv_apsh_btf_want(btf, doca_priv_apsh_members[i].type);
        doca_priv_apsh_btf_want(btf, doca_priv_apsh_members[i].member);
        doca_priv_apsh_btf_want(btf, doca_priv_apsh_members[i].other);
    }
}

/* Look up all members. Returns NULL, or the first member that is missing although it is needed. */
DOCA_PRIV_DECL const char *doca_priv_apsh_layout(struct doca_priv_apsh_kernel *kernel,
                                                 struct doca_priv_apsh_btf *btf)
{
    int32_t offset;
    size_t i;

    for (i = 0; i < DOCA_PRIV_APSH_NUM_MEMBERS; i++) {
        offset = doca_priv_apsh_btf_member(btf, doca_priv_apsh_members[i].type,
                                           doca_priv_apsh_members[i].member);
        if (offset < 0 && doca_priv_apsh_members[i].other != NULL)
            offset = doca_priv_apsh_btf_member(btf, doca_priv_apsh_members[i].type,
                                               doca_priv_apsh_members[i].other);
        if (offset < 0 && doca_priv_apsh_members[i].must)
            return doca_priv_apsh_members[i].member;
        kernel->offsets[i] = offset;
    }
    return NULL;
}

/* part: src/compat/apsh/names.c */
/* ---- >>impl.apsh.names -----------------------------------------------------------------------
 * The kernel's table of symbols (kallsyms). A name is a sequence of tokens of one byte each; a
 * token stands for one or more characters. Addresses are offsets from a base. In Linux 7 the table
 * has no base, and an offset is the distance of the symbol from the place of the offset itself. If
 * the kernel's note does not contain the addresses of the parts of the table, the search looks for
 * the tokens of the ten digits, which are neighbours in every kernel. The parts have one of two
 * orders: offsets and base come before the names (before 6.4), or after the tokens. The parts of a
 * table with a base begin at multiples of 8 bytes, those of other tables at multiples of 4.      */

#define DOCA_PRIV_APSH_MIN_NAMES 1000u    /* minimum number of symbols of a kernel */
#define DOCA_PRIV_APSH_MAX_NAMES 4000000u /* maximum number of symbols of a kernel */
#define DOCA_PRIV_APSH_NAME_BYTES 512u    /* maximum length of a name */
#define DOCA_PRIV_APSH_NAMES_BYTES ((uint64_t)32 << 20) /* maximum length of all names */
#define DOCA_PRIV_APSH_NAME_STEPS 64000000u /* maximum number of names that the search reads */
#define DOCA_PRIV_APSH_STEP_CHARS 16u /* characters of names that count as one step of work */
#define DOCA_PRIV_APSH_MAX_TABLES 8u /* maximum number of tables that are tried in an image */

/* The meaning of an offset in the table. */
enum doca_priv_apsh_form {
    DOCA_PRIV_APSH_SPLIT,      /* kernels with absolute per-CPU symbols: a negative offset is a
                                * distance from the base, any other offset is an address */
    DOCA_PRIV_APSH_FROM_BASE,  /* distance from the base */
    DOCA_PRIV_APSH_FROM_PLACE, /* distance from the place of the offset */
    DOCA_PRIV_APSH_NUM_FORMS
};

static const char *const doca_priv_apsh_symbols[DOCA_PRIV_APSH_NUM_SYMBOLS] = {
#define DOCA_PRIV_APSH_SYMBOL_ROW(name, symbol) symbol,
    DOCA_PRIV_APSH_SYMBOLS(DOCA_PRIV_APSH_SYMBOL_ROW)
#undef DOCA_PRIV_APSH_SYMBOL_ROW
};

/* Get the length in tokens of the name at *at, and move *at to its first token. 0: not a name. */
static uint32_t doca_priv_apsh_name_len(struct doca_priv_apsh_bytes *bytes, uint64_t *at)
{
    const unsigned char *byte = doca_priv_apsh_bytes_get(bytes, *at, 1);
    uint32_t len;

    if (byte == NULL)
        return 0;
    len = *byte;
    ++*at;
    if (len < 128)
        return len;
    byte = doca_priv_apsh_bytes_get(bytes, *at, 1);
    if (byte == NULL)
        return 0;
    ++*at;
    len = (len & 127) | (uint32_t)*byte << 7;
    return len <= DOCA_PRIV_APSH_NAME_BYTES ? len : 0;
}

/* Write the symbol whose name has `len` tokens. The first character of the name is the type of the
 * symbol, and is left out. Returns the length of the symbol; a symbol that is too long is cut. */
static size_t doca_priv_apsh_expand(const struct doca_priv_apsh_scratch *scratch,
                                    const unsigned char *tokens, uint32_t len,
                                    char name[DOCA_PRIV_APSH_NAME_BYTES])
{
    size_t n = 0, at;
    uint32_t i;

    for (i = 0; i < len && n < DOCA_PRIV_APSH_NAME_BYTES; i++) {
        at = (size_t)scratch->index[2 * tokens[i]] | (size_t)scratch->index[2 * tokens[i] + 1] << 8;
        for (; at < sizeof(scratch->tokens) && scratch->tokens[at] != '\0' &&
               n < DOCA_PRIV_APSH_NAME_BYTES;
             at++)
            name[n++] = (char)scratch->tokens[at];
    }
    if (n == 0)
        return 0;
    memmove(name, name + 1, n - 1);
    return n - 1;
}

/* Store the number of a symbol if the lists need the symbol. */
static void doca_priv_apsh_note(struct doca_priv_apsh_scratch *scratch, const char *name,
                                size_t len, uint32_t number)
{
    size_t i;

    for (i = 0; i < DOCA_PRIV_APSH_NUM_SYMBOLS; i++)
        if (scratch->places[i] == 0 && strlen(doca_priv_apsh_symbols[i]) == len &&
            memcmp(doca_priv_apsh_symbols[i], name, len) == 0)
            scratch->places[i] = number + 1;
}

/* Read the tokens and their index. */
static bool doca_priv_apsh_tokens(struct doca_priv_apsh_kernel *kernel,
                                  struct doca_priv_apsh_scratch *scratch)
{
    const uint64_t end = kernel->image_end - kernel->delta;
    uint64_t len = sizeof(scratch->tokens);

    if (scratch->table.tokens >= end)
        return false;
    if (len > end - scratch->table.tokens)
        len = end - scratch->table.tokens;
    memset(scratch->tokens, 0, sizeof(scratch->tokens));
    return doca_priv_apsh_mem_read(&kernel->mem, scratch->table.tokens, scratch->tokens,
                                   (size_t)len) == DOCA_SUCCESS &&
           doca_priv_apsh_mem_read(&kernel->mem, scratch->table.index, scratch->index,
                                   sizeof(scratch->index)) == DOCA_SUCCESS;
}

/* Return the address of the symbol with this number. */
static uint64_t doca_priv_apsh_address(struct doca_priv_apsh_kernel *kernel,
                                       const struct doca_priv_apsh_table *table, uint32_t number,
                                       enum doca_priv_apsh_form form)
{
    const uint64_t at = table->offsets + (uint64_t)4 * number;
    unsigned char bytes[4];
    uint32_t offset;

    if (doca_priv_apsh_mem_read(&kernel->mem, at, bytes, sizeof(bytes)) != DOCA_SUCCESS)
        return 0;
    offset = doca_priv_apsh_u32(bytes);
    if (form == DOCA_PRIV_APSH_FROM_PLACE)
        return at + kernel->delta + (uint64_t)(int64_t)(int32_t)offset;
    if (form == DOCA_PRIV_APSH_FROM_BASE)
        return table->base + offset;
    return offset >> 31 != 0 ? table->base + ~offset : offset;
}

/* True when the banner is at the address that the table has for the symbol linux_banner: through
 * the page tables, and inside the image. */
static bool doca_priv_apsh_has_banner(struct doca_priv_apsh_kernel *kernel,
                                      const struct doca_priv_apsh_scratch *scratch,
                                      enum doca_priv_apsh_form form)
{
    static const char banner[] = "Linux version ";
    char text[sizeof(banner) - 1];
    uint64_t addr, physical;

    if (scratch->places[DOCA_PRIV_APSH_BANNER] == 0)
        return false;
    addr = doca_priv_apsh_address(kernel, &scratch->table,
                                  scratch->places[DOCA_PRIV_APSH_BANNER] - 1, form);
    return addr >= kernel->image_start && addr < kernel->image_end &&
           doca_priv_apsh_walk(kernel, kernel->root, addr, &physical) == DOCA_SUCCESS &&
           physical == addr - kernel->delta &&
           doca_priv_apsh_mem_read(&kernel->mem, physical, text, sizeof(text)) == DOCA_SUCCESS &&
           memcmp(text, banner, sizeof(text)) == 0;
}

/* Read all names, and set the symbols of the kernel. Returns false when the table is malformed or
 * does not lead to the banner. */
DOCA_PRIV_DECL bool doca_priv_apsh_table_read(struct doca_priv_apsh_kernel *kernel,
                                              struct doca_priv_apsh_scratch *scratch)
{
    const struct doca_priv_apsh_table *table = &scratch->table;
    const uint64_t end = kernel->image_end - kernel->delta;
    char name[DOCA_PRIV_APSH_NAME_BYTES];
    const unsigned char *tokens;
    uint32_t number, len;
    unsigned form;
    uint64_t at = 0;
    size_t i, n;

    memset(scratch->places, 0, sizeof(scratch->places));
    if (table->num > DOCA_PRIV_APSH_MAX_NAMES || table->names >= end ||
        !doca_priv_apsh_tokens(kernel, scratch))
        return false;
    doca_priv_apsh_bytes_begin(&scratch->bytes, &kernel->mem, table->names, end - table->names);
    for (number = 0; number < table->num; number++, at += len) {
        len = doca_priv_apsh_name_len(&scratch->bytes, &at);
        tokens = len > 0 ? doca_priv_apsh_bytes_get(&scratch->bytes, at, len) : NULL;
        if (tokens == NULL)
            return false;
        n = doca_priv_apsh_expand(scratch, tokens, len, name);
        if (!doca_priv_apsh_bytes_spend(&scratch->bytes, n / DOCA_PRIV_APSH_STEP_CHARS))
            return false;
        doca_priv_apsh_note(scratch, name, n, number);
    }
    for (form = 0; form < DOCA_PRIV_APSH_NUM_FORMS; form++)
        if (doca_priv_apsh_has_banner(kernel, scratch, (enum doca_priv_apsh_form)form))
            break;
    if (form == DOCA_PRIV_APSH_NUM_FORMS)
        return false;
    for (i = 0; i < DOCA_PRIV_APSH_NUM_SYMBOLS; i++)
        kernel->symbols[i] = scratch->places[i] == 0
                                 ? 0
                                 : doca_priv_apsh_address(kernel, table, scratch->places[i] - 1,
                                                          (enum doca_priv_apsh_form)form);
    return true;
}

/* Find the beginning of the tokens and their index around the digits at `at`. */
static bool doca_priv_apsh_tokens_around(struct doca_priv_apsh_kernel *kernel,
                                         struct doca_priv_apsh_scratch *scratch, uint64_t at)
{
    const uint64_t start = kernel->image_start - kernel->delta;
    const uint64_t front = at - start < 4096 ? at - start : 4096;
    unsigned char index[512], found[512 + 8];
    size_t first = (size_t)front, n, i;

    scratch->table.tokens = at - front;
    scratch->table.index = start; /* any address: this call does not use the index */
    if (!doca_priv_apsh_tokens(kernel, scratch))
        return false;
    for (i = 0; i < '0' && first > 1; i++) /* skip a token for each character before '0' */
        for (first--; first > 0 && scratch->tokens[first - 1] != '\0';)
            first--;
    for (n = first, i = 0; i < 256; i++) {
        index[2 * i] = (unsigned char)((n - first) & 0xff);
        index[2 * i + 1] = (unsigned char)((n - first) >> 8);
        while (n < sizeof(scratch->tokens) && scratch->tokens[n] != '\0')
            n++;
        if (n++ >= sizeof(scratch->tokens))
            return false;
    }
    scratch->table.tokens += first;
    for (i = 4; i <= 8; i += 4) { /* the index begins at a multiple of 4 or 8 bytes */
        scratch->table.index = (scratch->table.tokens + (n - first) + i - 1) & ~(uint64_t)(i - 1);
        if (doca_priv_apsh_mem_read(&kernel->mem, scratch->table.index, found, 512) ==
                DOCA_SUCCESS &&
            memcmp(found, index, 512) == 0)
            return true;
    }
    return false;
}

/* True when `num` names begin at `names` and end before the tokens, and the markers follow: the
 * offsets of every 256th name, the first of which is 0. */
static bool doca_priv_apsh_names_at(struct doca_priv_apsh_kernel *kernel,
                                    struct doca_priv_apsh_scratch *scratch, uint64_t names,
                                    uint32_t num, uint32_t *steps)
{
    uint64_t at = 0, second = 0, markers;
    unsigned char marks[8];
    uint32_t i, len, align;

    doca_priv_apsh_bytes_begin(&scratch->bytes, &kernel->mem, names, scratch->table.tokens - names);
    for (i = 0; i < num; i++, at += len) {
        second = i == 256 ? at : second;
        len = doca_priv_apsh_name_len(&scratch->bytes, &at);
        if (len == 0 || at + len > scratch->bytes.len || ++*steps > DOCA_PRIV_APSH_NAME_STEPS)
            return false;
    }
    for (align = 4; align <= 8; align += 4) {
        markers = (names + at + align - 1) & ~(uint64_t)(align - 1);
        if (doca_priv_apsh_mem_read(&kernel->mem, markers, marks, sizeof(marks)) == DOCA_SUCCESS &&
            doca_priv_apsh_u32(marks) == 0 && doca_priv_apsh_u32(marks + 4) == second)
            return true;
    }
    return false;
}

/* Find offsets and base: before the number of names at `at`, or after the index of the tokens. A
 * table without a base has its offsets after the index. */
static bool doca_priv_apsh_offsets(struct doca_priv_apsh_kernel *kernel,
                                   struct doca_priv_apsh_scratch *scratch, uint64_t at)
{
    const uint64_t bytes = ((uint64_t)4 * scratch->table.num + 7) & ~(uint64_t)7;
    const uint64_t behind = (scratch->table.index + 512 + 7) & ~(uint64_t)7;
    const uint64_t bases[2] = { at - 8, behind + bytes };
    const uint64_t offsets[2] = { at - 8 - bytes, behind };
    unsigned char base[8];
    unsigned i;

    for (i = 0; i < 2; i++) {
        if (doca_priv_apsh_mem_read(&kernel->mem, bases[i], base, sizeof(base)) != DOCA_SUCCESS)
            continue;
        scratch->table.base = doca_priv_apsh_u64(base);
        scratch->table.offsets = offsets[i];
        if (scratch->table.base >= kernel->image_start && scratch->table.base < kernel->image_end &&
            doca_priv_apsh_table_read(kernel, scratch))
            return true;
    }
    scratch->table.base = 0;
    scratch->table.offsets = scratch->table.index + 512;
    return doca_priv_apsh_table_read(kernel, scratch);
}

/* Search for the names from the tokens downwards, and then for offsets and base. */
static bool doca_priv_apsh_names_before(struct doca_priv_apsh_kernel *kernel,
                                        struct doca_priv_apsh_scratch *scratch)
{
    const uint64_t start = kernel->image_start - kernel->delta;
    uint64_t at = scratch->table.tokens & ~(uint64_t)3, lowest = start + 8;
    unsigned char page[DOCA_PRIV_APSH_PAGE + 4];
    uint64_t from = UINT64_MAX, names;
    uint32_t num, steps = 0;

    if (at - lowest > DOCA_PRIV_APSH_NAMES_BYTES)
        lowest = at - DOCA_PRIV_APSH_NAMES_BYTES;
    for (at -= 8; at >= lowest && steps < DOCA_PRIV_APSH_NAME_STEPS; at -= 4) {
        if (from != (at & ~(uint64_t)(DOCA_PRIV_APSH_PAGE - 1))) {
            from = at & ~(uint64_t)(DOCA_PRIV_APSH_PAGE - 1);
            if (doca_priv_apsh_mem_read(&kernel->mem, from, page, sizeof(page)) != DOCA_SUCCESS)
                return false;
        }
        num = doca_priv_apsh_u32(page + (at - from));
        /* no name begins with a zero: zeros fill up to the next multiple of 8 bytes */
        names = doca_priv_apsh_u32(page + (at - from) + 4) == 0 ? at + 8 : at + 4;
        if (num < DOCA_PRIV_APSH_MIN_NAMES || num > DOCA_PRIV_APSH_MAX_NAMES ||
            !doca_priv_apsh_names_at(kernel, scratch, names, num, &steps))
            continue;
        scratch->table.num = num;
        scratch->table.names = names;
        if (doca_priv_apsh_offsets(kernel, scratch, at))
            return true;
    }
    return false;
}

/* Find the table in the image, and set the symbols of the kernel. */
DOCA_PRIV_DECL bool doca_priv_apsh_table_find(struct doca_priv_apsh_kernel *kernel,
                                              struct doca_priv_apsh_scratch *scratch)
{
    static const char digits[] = "0\0001\0002\0003\0004\0005\0006\0007\0008\0009";
    const uint64_t start = kernel->image_start - kernel->delta;
    const uint64_t len = kernel->image_end - kernel->image_start;
    unsigned char page[DOCA_PRIV_APSH_PAGE];
    unsigned num_tables = 0;
    uint64_t at;
    size_t i;

    /* pages overlap by the length of the digits, so that the digits are never split */
    for (at = 0; at + sizeof(page) <= len; at += sizeof(page) - sizeof(digits)) {
        doca_priv_apsh_bytes_begin(&scratch->bytes, &kernel->mem, start, len);
        if (doca_priv_apsh_bytes_get(&scratch->bytes, at, sizeof(page)) == NULL)
            return false;
        memcpy(page, scratch->bytes.window, sizeof(page));
        for (i = 0; i + sizeof(digits) <= sizeof(page); i++)
            if (page[i] == '0' && memcmp(page + i, digits, sizeof(digits)) == 0 &&
                num_tables < DOCA_PRIV_APSH_MAX_TABLES &&
                doca_priv_apsh_tokens_around(kernel, scratch, start + at + i)) {
                num_tables++;
                if (doca_priv_apsh_names_before(kernel, scratch))
                    return true;
            }
    }
    return false;
}

/* part: src/compat/apsh/json.c */
/* ---- >>impl.apsh.json ------------------------------------------------------------------------
 * Read files through a window, and parse JSON in them. The reader builds no tree and does not
 * recurse. It keeps only the latest key, string or number.                                      */

#ifdef O_CLOEXEC
#define DOCA_PRIV_APSH_OPEN (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
#else
#define DOCA_PRIV_APSH_OPEN (O_RDONLY | O_NONBLOCK | O_NOCTTY)
#endif

/* Store the reason of an error, unless an earlier error has stored one. Returns false. */
DOCA_PRIV_DECL bool doca_priv_apsh_json_bad(struct doca_priv_apsh_json *json, const char *reason)
{
    if (json->reason == NULL)
        json->reason = reason;
    return false;
}

/* Open a file. `budget`: bytes that may still be read of all files together. Devices and pipes are
 * refused, because reading them could block forever. */
DOCA_PRIV_DECL bool doca_priv_apsh_json_open(struct doca_priv_apsh_json *json, const char *path,
                                             uint64_t *budget)
{
    struct stat st;

    memset(json, 0, offsetof(struct doca_priv_apsh_json, text));
    json->budget = budget;
    json->fd = doca_core_backend_keep_fd(open(path, DOCA_PRIV_APSH_OPEN));
    if (json->fd < 0) {
        json->error = errno;
        return doca_priv_apsh_json_bad(json, "cannot be opened");
    }
    if (fstat(json->fd, &st) != 0 || !S_ISREG(st.st_mode))
        return doca_priv_apsh_json_bad(json, "not an ordinary file");
    return true;
}

/* Close the file. `reason` is kept. */
DOCA_PRIV_DECL void doca_priv_apsh_json_close(struct doca_priv_apsh_json *json)
{
    if (json->fd >= 0)
        (void)close(json->fd);
    json->fd = -1;
}

/* Return the offset in the file of the next byte. */
DOCA_PRIV_DECL uint64_t doca_priv_apsh_json_place(const struct doca_priv_apsh_json *json)
{
    return json->start + json->next;
}

/* Log the failure of a start whose reason is in `json`. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_file_fail(const struct doca_priv_apsh_json *json,
                                                     enum doca_core_item item, const char *function)
{
    struct doca_core_refusal why;

    memset(&why, 0, sizeof(why));
    why.status = json->reason;
    why.error = json->error;
    why.place = doca_priv_apsh_json_place(json);
    return doca_core_backend_refuse(DOCA_ERROR_INITIALIZATION, item, function, NULL, &why);
}

/* Fill the window with the following bytes of the file. */
static bool doca_priv_apsh_json_fill(struct doca_priv_apsh_json *json)
{
    size_t len = sizeof(json->window);
    ssize_t got = 0;

    if (json->reason != NULL)
        return false;
    json->start += json->filled;
    json->next = json->filled = 0;
    if (*json->budget == 0)
        return doca_priv_apsh_json_bad(json, "longer than may be read");
    len = *json->budget < len ? (size_t)*json->budget : len;
    do
        got = read(json->fd, json->window, len);
    while (got < 0 && errno == EINTR);
    if (got < 0) {
        json->error = errno;
        return doca_priv_apsh_json_bad(json, "cannot be read");
    }
    json->filled = (size_t)got;
    *json->budget -= (size_t)got;
    return got > 0;
}

/* Return the next byte without taking it, or -1 at the end of the file and after an error. */
static int doca_priv_apsh_json_peek(struct doca_priv_apsh_json *json)
{
    if (json->reason != NULL ||
        (json->next == json->filled && !doca_priv_apsh_json_fill(json)))
        return -1;
    return json->window[json->next];
}

/* Return the next byte, or -1 at the end of the file and after an error. */
DOCA_PRIV_DECL int doca_priv_apsh_json_byte(struct doca_priv_apsh_json *json)
{
    const int byte = doca_priv_apsh_json_peek(json);

    if (byte >= 0)
        json->next++;
    return byte;
}

/* Go back to an offset at which a value began, directly inside the outermost object. */
DOCA_PRIV_DECL bool doca_priv_apsh_json_again(struct doca_priv_apsh_json *json, uint64_t place)
{
    if (json->reason != NULL)
        return false;
    if (lseek(json->fd, (off_t)place, SEEK_SET) != (off_t)place) {
        json->error = errno;
        return doca_priv_apsh_json_bad(json, "cannot be read twice");
    }
    json->start = place;
    json->next = json->filled = 0;
    json->depth = 1;
    json->opened = 1;
    json->has_value = false;
    return true;
}

/* Skip blanks, and a byte order mark at the beginning of a file. Returns the next byte. */
static int doca_priv_apsh_json_blanks(struct doca_priv_apsh_json *json)
{
    int byte = doca_priv_apsh_json_peek(json);

    while (byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' ||
           (json->depth == 0 && json->start == 0 && json->next < 3 &&
            (byte == 0xef || byte == 0xbb || byte == 0xbf))) {
        json->next++;
        byte = doca_priv_apsh_json_peek(json);
    }
    return byte;
}

static void doca_priv_apsh_json_add(struct doca_priv_apsh_json *json, int byte)
{
    if (json->len < sizeof(json->text) - 1)
        json->text[json->len++] = (char)byte;
    else
        json->is_cut = true;
}

/* Read the characters after a backslash. A character that is not ASCII becomes a question mark: the
 * library looks for no name with such a character. */
static bool doca_priv_apsh_json_escape(struct doca_priv_apsh_json *json)
{
    static const char letters[] = "bfnrt", bytes[] = "\b\f\n\r\t";
    int byte = doca_priv_apsh_json_byte(json), i, digit;
    const char *at = byte > 0 ? strchr(letters, byte) : NULL;
    unsigned code = 0;

    if (byte == '"' || byte == '\'' || byte == '\\' || byte == '/') {
        doca_priv_apsh_json_add(json, byte);
        return true;
    }
    if (at != NULL) {
        doca_priv_apsh_json_add(json, bytes[at - letters]);
        return true;
    }
    for (i = 0; byte == 'u' && i < 4; i++) {
        digit = doca_priv_apsh_json_byte(json);
        if (digit >= '0' && digit <= '9')
            code = code << 4 | (unsigned)(digit - '0');
        else if ((digit | 32) >= 'a' && (digit | 32) <= 'f')
            code = code << 4 | (unsigned)((digit | 32) - 'a' + 10);
        else
            return doca_priv_apsh_json_bad(json, "an invalid escape");
    }
    if (byte != 'u')
        return doca_priv_apsh_json_bad(json, "an invalid escape");
    doca_priv_apsh_json_add(json, code > 0 && code < 128 ? (int)code : '?');
    return true;
}

/* Read a string, up to its closing quote. */
static bool doca_priv_apsh_json_quoted(struct doca_priv_apsh_json *json)
{
    const int quote = doca_priv_apsh_json_byte(json);
    int byte;

    json->len = 0;
    json->is_cut = false;
    for (;;) {
        byte = doca_priv_apsh_json_byte(json);
        if (byte < ' ')
            return doca_priv_apsh_json_bad(json, "a string without its end");
        if (byte == quote)
            break;
        if (byte != '\\')
            doca_priv_apsh_json_add(json, byte);
        else if (!doca_priv_apsh_json_escape(json))
            return false;
    }
    json->text[json->len] = '\0';
    return true;
}

/* Read a number or a word. */
static enum doca_priv_apsh_json_kind doca_priv_apsh_json_bare(struct doca_priv_apsh_json *json)
{
    static const char *const words[] = { "true", "false", "null", "True", "False", "None" };
    int byte = doca_priv_apsh_json_peek(json);
    uint32_t i;

    json->len = 0;
    json->is_cut = false;
    while ((byte >= '0' && byte <= '9') || ((byte | 32) >= 'a' && (byte | 32) <= 'z') ||
           byte == '-' || byte == '+' || byte == '.') {
        doca_priv_apsh_json_add(json, byte);
        json->next++;
        byte = doca_priv_apsh_json_peek(json);
    }
    json->text[json->len] = '\0';
    json->has_value = true;
    for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(json->text, words[i]) == 0)
            return DOCA_PRIV_APSH_JSON_WORD;
    if (json->len == 0 || strspn(json->text, "0123456789+-.eE") != json->len) {
        (void)doca_priv_apsh_json_bad(json, "neither a value nor a bracket");
        return DOCA_PRIV_APSH_JSON_NONE;
    }
    json->number = 0;
    json->is_number = !json->is_cut;
    for (i = 0; i < json->len && json->is_number; i++) {
        const unsigned digit = (unsigned)(unsigned char)json->text[i] - '0';

        json->is_number = digit <= 9 && (json->number < UINT64_MAX / 10 ||
                                         (json->number == UINT64_MAX / 10 &&
                                          digit <= UINT64_MAX % 10));
        json->number = json->number * 10 + digit;
    }
    return DOCA_PRIV_APSH_JSON_NUMBER;
}

static bool doca_priv_apsh_json_down(struct doca_priv_apsh_json *json, bool is_object)
{
    json->next++;
    if (json->depth == DOCA_PRIV_APSH_JSON_DEPTH)
        return doca_priv_apsh_json_bad(json, "more brackets than can be open");
    json->depth++;
    json->opened = json->opened << 1 | is_object;
    json->has_value = false;
    return true;
}

/* Close the innermost bracket. The next byte is the closing bracket. */
static bool doca_priv_apsh_json_up(struct doca_priv_apsh_json *json)
{
    const int byte = doca_priv_apsh_json_byte(json);

    if (json->depth == 0 || byte != ((json->opened & 1) != 0 ? '}' : ']'))
        return doca_priv_apsh_json_bad(json, "a bracket that closes none");
    json->depth--;
    json->opened >>= 1;
    json->has_value = true;
    return true;
}

/* Read the beginning of a value: a complete string, number or word, or an opening bracket. */
DOCA_PRIV_DECL enum doca_priv_apsh_json_kind
doca_priv_apsh_json_value(struct doca_priv_apsh_json *json)
{
    const int byte = doca_priv_apsh_json_blanks(json);

    if (byte == '{' || byte == '[') {
        if (!doca_priv_apsh_json_down(json, byte == '{'))
            return DOCA_PRIV_APSH_JSON_NONE;
        return byte == '{' ? DOCA_PRIV_APSH_JSON_OBJECT : DOCA_PRIV_APSH_JSON_ARRAY;
    }
    if (byte == '"' || byte == '\'') {
        json->has_value = true;
        return doca_priv_apsh_json_quoted(json) ? DOCA_PRIV_APSH_JSON_STRING
                                                : DOCA_PRIV_APSH_JSON_NONE;
    }
    if (byte < 0) {
        (void)doca_priv_apsh_json_bad(json, "the file ends too early");
        return DOCA_PRIV_APSH_JSON_NONE;
    }
    return doca_priv_apsh_json_bare(json);
}

/* In an object: read the key of the next member. The value of the member follows. Returns false
 * after the last member, when the object is closed, and after an error. */
DOCA_PRIV_DECL bool doca_priv_apsh_json_key(struct doca_priv_apsh_json *json)
{
    int byte = doca_priv_apsh_json_blanks(json);

    if (byte == ',' && json->has_value) {
        json->next++;
        json->has_value = false;
        byte = doca_priv_apsh_json_blanks(json);
    }
    if (byte == '}') {
        (void)doca_priv_apsh_json_up(json);
        return false;
    }
    if (byte < 0)
        return doca_priv_apsh_json_bad(json, "the file ends too early");
    if (json->has_value || (byte != '"' && byte != '\''))
        return doca_priv_apsh_json_bad(json, "no comma or name of a member");
    if (!doca_priv_apsh_json_quoted(json))
        return false;
    if (doca_priv_apsh_json_blanks(json) != ':')
        return doca_priv_apsh_json_bad(json, "no colon behind the name of a member");
    json->next++;
    return true;
}

/* Enter an object. */
DOCA_PRIV_DECL bool doca_priv_apsh_json_object(struct doca_priv_apsh_json *json)
{
    return doca_priv_apsh_json_value(json) == DOCA_PRIV_APSH_JSON_OBJECT ||
           doca_priv_apsh_json_bad(json, "no object where there should be one");
}

/* Read an integer from 0 to UINT64_MAX. */
DOCA_PRIV_DECL bool doca_priv_apsh_json_integer(struct doca_priv_apsh_json *json, uint64_t *value)
{
    if (doca_priv_apsh_json_value(json) != DOCA_PRIV_APSH_JSON_NUMBER || !json->is_number)
        return doca_priv_apsh_json_bad(json, "no number from 0 to 2^64 - 1");
    *value = json->number;
    return true;
}

/* Read a string. */
DOCA_PRIV_DECL bool doca_priv_apsh_json_string(struct doca_priv_apsh_json *json)
{
    return doca_priv_apsh_json_value(json) == DOCA_PRIV_APSH_JSON_STRING ||
           doca_priv_apsh_json_bad(json, "no string where there should be one");
}

/* True when the latest key, string or word is this text. */
DOCA_PRIV_DECL bool doca_priv_apsh_json_is(const struct doca_priv_apsh_json *json,
                                           const char *text)
{
    return !json->is_cut && strlen(text) == json->len && memcmp(json->text, text, json->len) == 0;
}

/* Skip a string. */
static bool doca_priv_apsh_json_pass(struct doca_priv_apsh_json *json)
{
    const int quote = doca_priv_apsh_json_byte(json);
    int byte;

    do {
        byte = doca_priv_apsh_json_byte(json);
        if (byte == '\\' && doca_priv_apsh_json_byte(json) >= 0)
            byte = ' ';
        if (byte < 0)
            return doca_priv_apsh_json_bad(json, "a string without its end");
    } while (byte != quote);
    return true;
}

/* Skip a value. In objects and arrays, only strings and brackets are checked. */
DOCA_PRIV_DECL void doca_priv_apsh_json_skip(struct doca_priv_apsh_json *json)
{
    const uint32_t depth = json->depth;
    enum doca_priv_apsh_json_kind kind = doca_priv_apsh_json_value(json);
    int byte;

    if (kind != DOCA_PRIV_APSH_JSON_OBJECT && kind != DOCA_PRIV_APSH_JSON_ARRAY)
        return;
    while (json->depth > depth) {
        byte = doca_priv_apsh_json_peek(json);
        if (byte == '"' || byte == '\'') {
            if (!doca_priv_apsh_json_pass(json))
                return;
        } else if (byte == '{' || byte == '[') {
            if (!doca_priv_apsh_json_down(json, byte == '{'))
                return;
        } else if (byte == '}' || byte == ']') {
            if (!doca_priv_apsh_json_up(json))
                return;
        } else if (byte < 0) {
            (void)doca_priv_apsh_json_bad(json, "the file ends too early");
            return;
        } else {
            json->next++;
        }
    }
}

/* Check that nothing but blanks follows the outermost value. */
DOCA_PRIV_DECL void doca_priv_apsh_json_end(struct doca_priv_apsh_json *json)
{
    if (json->reason == NULL && doca_priv_apsh_json_blanks(json) >= 0)
        (void)doca_priv_apsh_json_bad(json, "there is text after the end of the object");
}

/* part: src/compat/apsh/isf.c */
/* ---- >>impl.apsh.isf -------------------------------------------------------------------------
 * Read a symbol map. The first pass reads the whole file and finds the symbols and most members.
 * A part of a structure may stand before the structure in the file. Further passes read only the
 * structures, until all parts that can contain a missing member are read. Names are compared by
 * hashes of 64 bits.                                                                            */

#define DOCA_PRIV_APSH_ISF_MAX 65535u  /* offset, size and number of elements */
#define DOCA_PRIV_APSH_ISF_AT_ONCE 32u /* parts with one name */

DOCA_PRIV_APSH_ASSERT(isf_has_room,
                      sizeof(struct doca_priv_apsh_isf) <= DOCA_PRIV_APSH_SCRATCH_BYTES)

static const char *const doca_priv_apsh_isf_symbols[DOCA_PRIV_APSH_NUM_SYMBOLS] = {
#define DOCA_PRIV_APSH_ISF_SYMBOL(name, symbol) symbol,
    DOCA_PRIV_APSH_SYMBOLS(DOCA_PRIV_APSH_ISF_SYMBOL)
#undef DOCA_PRIV_APSH_ISF_SYMBOL
};

static const struct {
    const char *type, *member, *other;
} doca_priv_apsh_isf_members[DOCA_PRIV_APSH_NUM_MEMBERS] = {
#define DOCA_PRIV_APSH_ISF_MEMBER(name, type, member, other, must) { type, member, other },
    DOCA_PRIV_APSH_MEMBERS(DOCA_PRIV_APSH_ISF_MEMBER)
#undef DOCA_PRIV_APSH_ISF_MEMBER
};

static uint64_t doca_priv_apsh_isf_hash(const char *text, size_t len)
{
    uint64_t hash = 0xcbf29ce484222325u;
    size_t i;

    for (i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return hash;
}

/* Return the hash of the latest key or string, or 0 when it was cut: no query has such a name. */
static uint64_t doca_priv_apsh_isf_text(const struct doca_priv_apsh_json *json)
{
    return json->is_cut ? 0 : doca_priv_apsh_isf_hash(json->text, json->len);
}

/* ---- queries and parts ---- */

/* Add a part of a root, unless it was added before. `is_whole`: the part is the structure that the
 * queries name. */
static void doca_priv_apsh_isf_add_part(struct doca_priv_apsh_isf *isf, uint64_t type,
                                        uint32_t root, uint64_t offset, bool is_whole)
{
    struct doca_priv_apsh_isf_part *part;
    uint32_t i;

    for (i = 0; i < isf->num_parts; i++)
        if (isf->parts[i].type == type && isf->parts[i].root == root &&
            isf->parts[i].offset == offset)
            return;
    if (isf->num_parts == DOCA_PRIV_APSH_ISF_PARTS || offset > DOCA_PRIV_APSH_ISF_MAX)
        return;
    part = &isf->parts[isf->num_parts++];
    part->type = type;
    part->root = root;
    part->offset = (uint32_t)offset;
    part->is_whole = is_whole;
    part->is_read = false;
}

/* Make a query search for `path` in its root. */
static void doca_priv_apsh_isf_path(struct doca_priv_apsh_isf_query *query, const char *path)
{
    const size_t len = strcspn(path, ".[");

    query->name = doca_priv_apsh_isf_hash(path, len);
    query->rest = path[len] == '.' ? path + len + 1 : NULL;
    query->want = len == 0           ? DOCA_PRIV_APSH_ISF_SIZE
                  : path[len] == '[' ? DOCA_PRIV_APSH_ISF_COUNT
                                     : DOCA_PRIV_APSH_ISF_OFFSET;
}

/* Make the queries for all members. All queries for one structure share one root. */
static void doca_priv_apsh_isf_ask(struct doca_priv_apsh_isf *isf)
{
    uint32_t i, k, root;

    for (i = 0; i < DOCA_PRIV_APSH_NUM_MEMBERS; i++) {
        const char *type = doca_priv_apsh_isf_members[i].type;

        for (k = 0; k < i && strcmp(doca_priv_apsh_isf_members[k].type, type) != 0;)
            k++;
        root = k < i ? isf->queries[2 * k].root : isf->num_roots++;
        for (k = 2 * i; k < 2 * i + 2; k++) {
            isf->queries[k].value = -1;
            isf->queries[k].root = root;
        }
        doca_priv_apsh_isf_path(&isf->queries[2 * i], doca_priv_apsh_isf_members[i].member);
        if (doca_priv_apsh_isf_members[i].other != NULL)
            doca_priv_apsh_isf_path(&isf->queries[2 * i + 1], doca_priv_apsh_isf_members[i].other);
        doca_priv_apsh_isf_add_part(isf, doca_priv_apsh_isf_hash(type, strlen(type)), root, 0,
                                    true);
    }
}

/* Compare a field with all queries of the root that the part belongs to. */
static void doca_priv_apsh_isf_match(struct doca_priv_apsh_isf *isf, uint32_t number,
                                     const struct doca_priv_apsh_isf_field *field)
{
    const struct doca_priv_apsh_isf_part *part = &isf->parts[number];
    const uint64_t offset = part->offset + field->offset;
    const uint32_t root = part->root;
    uint32_t i;

    if (field->offset > DOCA_PRIV_APSH_ISF_MAX || offset > DOCA_PRIV_APSH_ISF_MAX)
        return;
    if (field->is_anonymous) {
        if (field->is_inner)
            doca_priv_apsh_isf_add_part(isf, field->type, root, offset, false);
        return;
    }
    for (i = 0; i < 2 * DOCA_PRIV_APSH_NUM_MEMBERS; i++) {
        struct doca_priv_apsh_isf_query *query = &isf->queries[i];

        if (query->root != root || query->name != field->name || query->name == 0 ||
            query->value >= 0 || query->want == DOCA_PRIV_APSH_ISF_SIZE)
            continue;
        if (query->rest == NULL && query->want == DOCA_PRIV_APSH_ISF_COUNT) {
            query->value = field->count <= DOCA_PRIV_APSH_ISF_MAX ? (int32_t)field->count : -1;
        } else if (query->rest == NULL) {
            query->value = field->is_bits ? -1 : (int32_t)offset;
        } else if (field->is_inner) {
            query->root = isf->num_roots++;
            doca_priv_apsh_isf_path(query, query->rest);
            doca_priv_apsh_isf_add_part(isf, field->type, query->root, offset, false);
        }
    }
}

/* ---- structures ---- */

/* Read the type of a field. */
static void doca_priv_apsh_isf_type(struct doca_priv_apsh_json *json,
                                    struct doca_priv_apsh_isf_field *field)
{
    if (!doca_priv_apsh_json_object(json))
        return;
    while (doca_priv_apsh_json_key(json)) {
        if (doca_priv_apsh_json_is(json, "kind")) {
            if (!doca_priv_apsh_json_string(json))
                return;
            field->is_inner = doca_priv_apsh_json_is(json, "struct") ||
                              doca_priv_apsh_json_is(json, "union");
            field->is_bits = doca_priv_apsh_json_is(json, "bitfield");
        } else if (doca_priv_apsh_json_is(json, "name")) {
            if (!doca_priv_apsh_json_string(json))
                return;
            field->type = doca_priv_apsh_isf_text(json);
        } else if (doca_priv_apsh_json_is(json, "count")) {
            (void)doca_priv_apsh_json_integer(json, &field->count);
        } else {
            doca_priv_apsh_json_skip(json);
        }
    }
}

/* Read a field. The latest key is its name. */
static void doca_priv_apsh_isf_read_field(struct doca_priv_apsh_json *json,
                                          struct doca_priv_apsh_isf_field *field)
{
    static const char unnamed[] = "unnamed_field_";

    memset(field, 0, sizeof(*field));
    field->name = doca_priv_apsh_isf_text(json);
    field->offset = field->count = UINT64_MAX;
    field->is_anonymous = json->len == 0 || strncmp(json->text, unnamed, sizeof(unnamed) - 1) == 0;
    if (!doca_priv_apsh_json_object(json))
        return;
    while (doca_priv_apsh_json_key(json)) {
        if (doca_priv_apsh_json_is(json, "offset")) {
            (void)doca_priv_apsh_json_integer(json, &field->offset);
        } else if (doca_priv_apsh_json_is(json, "type")) {
            doca_priv_apsh_isf_type(json, field);
        } else if (!doca_priv_apsh_json_is(json, "anonymous")) {
            doca_priv_apsh_json_skip(json);
        } else if (doca_priv_apsh_json_value(json) != DOCA_PRIV_APSH_JSON_WORD) {
            (void)doca_priv_apsh_json_bad(json, "\"anonymous\" is neither true nor false");
        } else if (doca_priv_apsh_json_is(json, "true") || doca_priv_apsh_json_is(json, "True")) {
            field->is_anonymous = true;
        }
    }
}

/* Read the fields of a structure. `parts` are the parts that this structure is. */
static void doca_priv_apsh_isf_fields(struct doca_priv_apsh_isf *isf, const uint32_t *parts,
                                      uint32_t num)
{
    struct doca_priv_apsh_isf_field field;
    uint32_t i;

    if (!doca_priv_apsh_json_object(&isf->json))
        return;
    while (doca_priv_apsh_json_key(&isf->json)) {
        doca_priv_apsh_isf_read_field(&isf->json, &field);
        for (i = 0; i < num && isf->json.reason == NULL; i++)
            doca_priv_apsh_isf_match(isf, parts[i], &field);
    }
}

/* Read the size of a structure. `parts` are the parts that this structure is. */
static void doca_priv_apsh_isf_size(struct doca_priv_apsh_isf *isf, const uint32_t *parts,
                                    uint32_t num)
{
    uint64_t size;
    uint32_t i, k;

    if (!doca_priv_apsh_json_integer(&isf->json, &size) || size > DOCA_PRIV_APSH_ISF_MAX)
        return;
    for (i = 0; i < num; i++)
        for (k = 0; k < 2 * DOCA_PRIV_APSH_NUM_MEMBERS && isf->parts[parts[i]].is_whole; k++)
            if (isf->queries[k].want == DOCA_PRIV_APSH_ISF_SIZE &&
                isf->queries[k].root == isf->parts[parts[i]].root && isf->queries[k].value < 0)
                isf->queries[k].value = (int32_t)size;
}

/* Read a structure. The latest key is its name. Returns whether the structure is a part that was
 * not read before. */
static bool doca_priv_apsh_isf_struct(struct doca_priv_apsh_isf *isf)
{
    const uint64_t type = doca_priv_apsh_isf_text(&isf->json);
    uint32_t parts[DOCA_PRIV_APSH_ISF_AT_ONCE], num = 0, i;

    for (i = 0; i < isf->num_parts && num < DOCA_PRIV_APSH_ISF_AT_ONCE; i++)
        if (isf->parts[i].type == type && !isf->parts[i].is_read && type != 0) {
            isf->parts[i].is_read = true;
            parts[num++] = i;
        }
    if (num == 0) {
        doca_priv_apsh_json_skip(&isf->json);
        return false;
    }
    if (!doca_priv_apsh_json_object(&isf->json))
        return false;
    while (doca_priv_apsh_json_key(&isf->json)) {
        if (doca_priv_apsh_json_is(&isf->json, "fields"))
            doca_priv_apsh_isf_fields(isf, parts, num);
        else if (doca_priv_apsh_json_is(&isf->json, "size"))
            doca_priv_apsh_isf_size(isf, parts, num);
        else
            doca_priv_apsh_json_skip(&isf->json);
    }
    return true;
}

/* Read all structures. Returns whether one of them is a part that was not read before. */
static bool doca_priv_apsh_isf_structs(struct doca_priv_apsh_isf *isf)
{
    bool is_any = false;

    if (!doca_priv_apsh_json_object(&isf->json))
        return false;
    while (doca_priv_apsh_json_key(&isf->json))
        is_any = doca_priv_apsh_isf_struct(isf) || is_any;
    return is_any;
}

/* ---- symbols ---- */

static int doca_priv_apsh_isf_digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decode the latest string from base 64, and store the banner up to its NUL. */
static void doca_priv_apsh_isf_banner(struct doca_priv_apsh_map *map,
                                      const struct doca_priv_apsh_json *json)
{
    uint32_t i, bits = 0, value = 0, len = 0;
    int digit;

    for (i = 0; i < json->len && len < sizeof(map->banner); i++) {
        digit = doca_priv_apsh_isf_digit(json->text[i]);
        if (digit < 0)
            break;
        value = (value << 6 | (uint32_t)digit) & 0xffffff;
        bits += 6;
        if (bits < 8)
            continue;
        bits -= 8;
        map->banner[len] = (char)(value >> bits & 0xff);
        if (map->banner[len] == '\0')
            break;
        len++;
    }
    map->banner_len = len;
}

/* Read a symbol. The latest key is its name. */
static void doca_priv_apsh_isf_symbol(struct doca_priv_apsh_isf *isf)
{
    struct doca_priv_apsh_json *json = &isf->json;
    uint32_t i = 0;

    while (i < DOCA_PRIV_APSH_NUM_SYMBOLS &&
           !doca_priv_apsh_json_is(json, doca_priv_apsh_isf_symbols[i]))
        i++;
    if (i == DOCA_PRIV_APSH_NUM_SYMBOLS || isf->map->symbols[i] != 0) {
        doca_priv_apsh_json_skip(json);
        return;
    }
    if (!doca_priv_apsh_json_object(json))
        return;
    while (doca_priv_apsh_json_key(json)) {
        if (doca_priv_apsh_json_is(json, "address")) {
            (void)doca_priv_apsh_json_integer(json, &isf->map->symbols[i]);
        } else if (i == DOCA_PRIV_APSH_BANNER && doca_priv_apsh_json_is(json, "constant_data")) {
            if (doca_priv_apsh_json_value(json) == DOCA_PRIV_APSH_JSON_STRING)
                doca_priv_apsh_isf_banner(isf->map, json);
            else if (!doca_priv_apsh_json_is(json, "null"))
                (void)doca_priv_apsh_json_bad(json, "constant_data is not a string");
        } else {
            doca_priv_apsh_json_skip(json);
        }
    }
}

static void doca_priv_apsh_isf_symbol_table(struct doca_priv_apsh_isf *isf)
{
    if (!doca_priv_apsh_json_object(&isf->json))
        return;
    isf->has_symbols = true;
    while (doca_priv_apsh_json_key(&isf->json))
        doca_priv_apsh_isf_symbol(isf);
}

/* ---- the file ---- */

/* Read the whole file from its beginning to its end. */
static void doca_priv_apsh_isf_first(struct doca_priv_apsh_isf *isf)
{
    struct doca_priv_apsh_json *json = &isf->json;

    if (!doca_priv_apsh_json_object(json))
        return;
    while (doca_priv_apsh_json_key(json)) {
        if (doca_priv_apsh_json_is(json, "user_types") && isf->types_place == 0) {
            isf->types_place = doca_priv_apsh_json_place(json);
            (void)doca_priv_apsh_isf_structs(isf);
        } else if (doca_priv_apsh_json_is(json, "symbols") && !isf->has_symbols) {
            doca_priv_apsh_isf_symbol_table(isf);
        } else {
            doca_priv_apsh_json_skip(json);
        }
    }
    doca_priv_apsh_json_end(json);
    if (isf->types_place == 0 || !isf->has_symbols)
        (void)doca_priv_apsh_json_bad(json, "no \"user_types\" or no \"symbols\"");
}

/* True when a member that was not found may be in a part that was not read. */
static bool doca_priv_apsh_isf_has_parts(const struct doca_priv_apsh_isf *isf)
{
    uint32_t i, k;

    for (i = 0; i < isf->num_parts; i++)
        for (k = 0; k < 2 * DOCA_PRIV_APSH_NUM_MEMBERS && !isf->parts[i].is_read; k++)
            if (isf->queries[k].root == isf->parts[i].root && isf->queries[k].name != 0 &&
                isf->queries[k].value < 0 && isf->queries[k ^ 1].value < 0)
                return true;
    return false;
}

/* Read the symbol map at `path` into `map`. Returns false, with the reason in isf->json, when it is
 * malformed or cannot be read. `budget`: bytes that may be read, counted down. */
DOCA_PRIV_DECL bool doca_priv_apsh_isf_load(struct doca_priv_apsh_isf *isf,
                                            struct doca_priv_apsh_map *map, const char *path,
                                            uint64_t *budget)
{
    uint32_t i, passes = 1;

    memset(isf, 0, offsetof(struct doca_priv_apsh_isf, json));
    memset(map, 0, sizeof(*map));
    isf->map = map;
    doca_priv_apsh_isf_ask(isf);
    if (doca_priv_apsh_json_open(&isf->json, path, budget))
        doca_priv_apsh_isf_first(isf);
    while (isf->json.reason == NULL && passes++ < DOCA_PRIV_APSH_ISF_PASSES &&
           doca_priv_apsh_isf_has_parts(isf))
        if (!doca_priv_apsh_json_again(&isf->json, isf->types_place) ||
            !doca_priv_apsh_isf_structs(isf))
            break;
    doca_priv_apsh_json_close(&isf->json);
    for (i = 0; i < DOCA_PRIV_APSH_NUM_MEMBERS; i++)
        map->offsets[i] = isf->queries[2 * i].value >= 0 ? isf->queries[2 * i].value
                                                         : isf->queries[2 * i + 1].value;
    return isf->json.reason == NULL;
}

/* part: src/compat/apsh/isf_use.c */
/* ---- >>impl.apsh.isf_use ---------------------------------------------------------------------
 * Use a symbol map. The map has the addresses of the kernel without KASLR, and KASLR moves the
 * kernel by a multiple of 2 MiB. The distance is found by trial: moved by the right distance, the
 * map's address of linux_banner is the address of the banner in the target. Where the map and the
 * memory of the target differ, the map is used: the program chose the map, but the target is
 * regarded as hostile. Symbols and members that the map lacks are taken from the memory.        */

#define DOCA_PRIV_APSH_MAP_PATH 4096u /* maximum length of the path of a map in a folder */
#define DOCA_PRIV_APSH_MAP_FILES 256u /* maximum number of files of a folder that are tried */

static const char *const doca_priv_apsh_map_symbols[DOCA_PRIV_APSH_NUM_SYMBOLS] = {
#define DOCA_PRIV_APSH_MAP_SYMBOL(name, symbol) symbol,
    DOCA_PRIV_APSH_SYMBOLS(DOCA_PRIV_APSH_MAP_SYMBOL)
#undef DOCA_PRIV_APSH_MAP_SYMBOL
};

static const struct {
    const char *path;
    bool must;
} doca_priv_apsh_map_members[DOCA_PRIV_APSH_NUM_MEMBERS] = {
#define DOCA_PRIV_APSH_MAP_MEMBER(name, type, member, other, must) { type "." member, must },
    DOCA_PRIV_APSH_MEMBERS(DOCA_PRIV_APSH_MAP_MEMBER)
#undef DOCA_PRIV_APSH_MAP_MEMBER
};

/* If the path is a file, read it now, so that a malformed file makes the start fail. A folder is
 * read later, when the kernel is known. The caller has set maps->isf. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_maps_open(struct doca_priv_apsh_maps *maps,
                                                     const char *path, const char *function)
{
    struct stat st;

    maps->path = path;
    maps->budget = DOCA_CORE_APSH_FILE_BYTES;
    maps->is_folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    if (maps->is_folder)
        return DOCA_SUCCESS;
    maps->is_read = doca_priv_apsh_isf_load(maps->isf, &maps->map, path, &maps->budget);
    return maps->is_read ? DOCA_SUCCESS
                         : doca_priv_apsh_file_fail(&maps->isf->json, DOCA_CORE_ITEM_APSH_MAP,
                                                    function);
}

/* True when the banner is at this physical address. */
static bool doca_priv_apsh_map_is_banner(const struct doca_priv_apsh_map *map,
                                         struct doca_priv_apsh_kernel *kernel, uint64_t physical)
{
    static const char first[] = "Linux version ";
    char text[DOCA_PRIV_APSH_ISF_BANNER];
    const uint32_t len = map->banner_len < sizeof(first) - 1 ? (uint32_t)sizeof(first) - 1
                                                             : map->banner_len;

    return doca_priv_apsh_mem_read(&kernel->mem, physical, text, len) == DOCA_SUCCESS &&
           memcmp(text, first, sizeof(first) - 1) == 0 &&
           memcmp(text, map->banner, map->banner_len) == 0;
}

/* Find the distance by which KASLR moved the kernel. */
static bool doca_priv_apsh_map_shift(const struct doca_priv_apsh_map *map,
                                     struct doca_priv_apsh_kernel *kernel, uint64_t *shift)
{
    const uint64_t banner = map->symbols[DOCA_PRIV_APSH_BANNER];
    uint64_t addr = kernel->image_start + banner % DOCA_PRIV_APSH_IMAGE_STEP;

    for (; banner != 0 && addr < kernel->image_end; addr += DOCA_PRIV_APSH_IMAGE_STEP)
        if (doca_priv_apsh_map_is_banner(map, kernel, addr - kernel->delta)) {
            *shift = addr - banner;
            return true;
        }
    return false;
}

/* True when the kernel's first task (init_task) has the name "swapper". */
static bool doca_priv_apsh_map_has_task(struct doca_priv_apsh_kernel *kernel)
{
    static const char first[] = "swapper";
    const uint64_t task = kernel->symbols[DOCA_PRIV_APSH_INIT_TASK];
    const int32_t comm = kernel->offsets[DOCA_PRIV_APSH_TASK_COMM];
    char text[sizeof(first) - 1];

    return comm >= 0 && task >= kernel->image_start && task < kernel->image_end &&
           doca_priv_apsh_read(kernel, task + (uint64_t)comm, text, sizeof(text)) ==
               DOCA_SUCCESS &&
           memcmp(text, first, sizeof(text)) == 0;
}

/* Set symbols and members of the kernel from a map of this kernel. */
static void doca_priv_apsh_map_take(struct doca_priv_apsh_maps *maps,
                                    struct doca_priv_apsh_kernel *kernel, uint64_t shift)
{
    const struct doca_priv_apsh_map *map = &maps->map;
    uint32_t i;

    for (i = 0; i < DOCA_PRIV_APSH_NUM_SYMBOLS; i++) {
        const uint64_t addr = map->symbols[i] + shift;

        if (map->symbols[i] == 0 || addr < kernel->image_start || addr >= kernel->image_end)
            continue;
        if (kernel->symbols[i] != 0 && kernel->symbols[i] != addr && maps->differs == NULL)
            maps->differs = doca_priv_apsh_map_symbols[i];
        kernel->symbols[i] = addr;
    }
    for (i = 0; i < DOCA_PRIV_APSH_NUM_MEMBERS; i++) {
        if (map->offsets[i] < 0)
            continue;
        if (kernel->offsets[i] >= 0 && kernel->offsets[i] != map->offsets[i] &&
            maps->differs == NULL)
            maps->differs = doca_priv_apsh_map_members[i].path;
        kernel->offsets[i] = map->offsets[i];
    }
}

/* Use the map that was read. Returns false when the map belongs to another kernel, or when a member
 * that the lists need is neither in the map nor known from the memory. */
static bool doca_priv_apsh_map_use(struct doca_priv_apsh_maps *maps,
                                   struct doca_priv_apsh_kernel *kernel)
{
    const struct doca_priv_apsh_kernel before = *kernel;
    uint64_t shift;
    uint32_t i;

    if (!doca_priv_apsh_map_shift(&maps->map, kernel, &shift)) {
        maps->is_foreign = true;
        return false;
    }
    maps->differs = maps->missing = NULL;
    doca_priv_apsh_map_take(maps, kernel, shift);
    for (i = 0; i < DOCA_PRIV_APSH_NUM_MEMBERS; i++)
        if (doca_priv_apsh_map_members[i].must && kernel->offsets[i] < 0) {
            maps->missing = doca_priv_apsh_map_members[i].path;
            break;
        }
    if (maps->missing == NULL && doca_priv_apsh_map_has_task(kernel))
        return true;
    maps->is_foreign = maps->missing == NULL;
    memcpy(kernel->symbols, before.symbols, sizeof(before.symbols));
    memcpy(kernel->offsets, before.offsets, sizeof(before.offsets));
    return false;
}

#ifdef __linux__
/* Get some entries of a folder. All arguments are long: see doca_priv_sys_call() of the core. */
static long doca_priv_apsh_sys_call(long number, long a, long b, long c, long d, long e, long f)
{
    return syscall(number, a, b, c, d, e, f);
}

/* Use the map in the file `name` of the folder, if the map contains the banner of the kernel. */
static bool doca_priv_apsh_maps_try(struct doca_priv_apsh_maps *maps,
                                    struct doca_priv_apsh_kernel *kernel, const char *name)
{
    const size_t len = strlen(maps->path), name_len = strlen(name);
    char path[DOCA_PRIV_APSH_MAP_PATH];

    if (name_len < 6 || strcmp(name + name_len - 5, ".json") != 0 ||
        len + 1 + name_len >= sizeof(path))
        return false;
    memcpy(path, maps->path, len);
    path[len] = '/';
    memcpy(path + len + 1, name, name_len + 1);
    return doca_priv_apsh_isf_load(maps->isf, &maps->map, path, &maps->budget) &&
           maps->map.banner_len > 0 && doca_priv_apsh_map_use(maps, kernel);
}

/* Try the files of the folder. Files that are not maps are skipped. */
static bool doca_priv_apsh_maps_folder(struct doca_priv_apsh_maps *maps,
                                       struct doca_priv_apsh_kernel *kernel)
{
    const int fd = doca_core_backend_keep_fd(open(maps->path, O_RDONLY | O_NONBLOCK));
    unsigned char entries[4096];
    unsigned num_files = 0;
    bool is_used = false;
    long len = 0, at;

    do {
        len = fd < 0 ? 0
                     : doca_priv_apsh_sys_call(SYS_getdents64, (long)fd, (long)(intptr_t)entries,
                                               (long)sizeof(entries), 0, 0, 0);
        for (at = 0; at + 19 < len && !is_used; at += entries[at + 16] | entries[at + 17] << 8) {
            const char *name = (const char *)entries + at + 19; /* after inode, offset, length
                                                                  * and type */

            if (num_files++ < DOCA_PRIV_APSH_MAP_FILES)
                is_used = doca_priv_apsh_maps_try(maps, kernel, name);
        }
    } while (len > 0 && !is_used && num_files < DOCA_PRIV_APSH_MAP_FILES);
    if (fd >= 0)
        (void)close(fd);
    return is_used;
}
#else
static bool doca_priv_apsh_maps_folder(struct doca_priv_apsh_maps *maps,
                                       struct doca_priv_apsh_kernel *kernel)
{
    (void)maps;
    (void)kernel;
    return false;
}
#endif

/* Use the map of the program for `kernel`, whose page directory and image are known. The kernel has
 * the symbols and members that were found in its memory; the others are 0 and -1. */
DOCA_PRIV_DECL bool doca_priv_apsh_maps_use(struct doca_priv_apsh_maps *maps,
                                            struct doca_priv_apsh_kernel *kernel)
{
    bool is_used;

    if (!maps->is_folder)
        return doca_priv_apsh_map_use(maps, kernel);
    is_used = doca_priv_apsh_maps_folder(maps, kernel);
    maps->is_foreign = !is_used && maps->missing == NULL;
    return is_used;
}

/* part: src/compat/apsh/regions.c */
/* ---- >>impl.apsh.regions ---------------------------------------------------------------------
 * Read mem_regions.json: {"allowed_regions": {"0": {"start": N, "length": N}, ...}}, in bytes. The
 * vendor's tool computes the length of a range of a Linux machine as last byte minus first byte,
 * which is one byte too short. Memory ends at an even address, so a region that ends at an odd
 * address is made one byte longer.                                                              */

#define DOCA_PRIV_APSH_REGIONS_BYTES ((uint64_t)1 << 20) /* maximum length of the file */
#define DOCA_PRIV_APSH_MAX_ADDR ((uint64_t)1 << 52)      /* maximum physical address */

DOCA_PRIV_APSH_ASSERT(regions_have_room, sizeof(struct doca_priv_apsh_regions) <=
                                             DOCA_PRIV_APSH_SCRATCH_BYTES)

/* Insert a region in the order of addresses. The caller joins regions that overlap or touch. */
static bool doca_priv_apsh_regions_insert(struct doca_priv_apsh_regions *regions, uint64_t addr,
                                          uint64_t len)
{
    uint32_t at = regions->num;

    if (regions->num == DOCA_CORE_APSH_REGIONS)
        return doca_priv_apsh_json_bad(&regions->json, "more regions than DOCA_CORE_APSH_REGIONS");
    for (; at > 0 && regions->list[at - 1].addr > addr; at--)
        regions->list[at] = regions->list[at - 1];
    memset(&regions->list[at], 0, sizeof(regions->list[at]));
    regions->list[at].addr = addr;
    regions->list[at].len = len;
    regions->num++;
    return true;
}

/* Check a region, and add it from the first page boundary on. */
static bool doca_priv_apsh_regions_add(struct doca_priv_apsh_regions *regions, uint64_t start,
                                       uint64_t len)
{
    const uint64_t first = (start + DOCA_PRIV_APSH_PAGE - 1) & ~(uint64_t)(DOCA_PRIV_APSH_PAGE - 1);
    uint64_t end;

    if (start >= DOCA_PRIV_APSH_MAX_ADDR || len > DOCA_PRIV_APSH_MAX_ADDR - start)
        return doca_priv_apsh_json_bad(&regions->json, "a region that ends behind 2^52");
    end = start + len;
    end += end & (len > 0);
    return first >= end || doca_priv_apsh_regions_insert(regions, first, end - first);
}

/* Read one region. */
static bool doca_priv_apsh_regions_one(struct doca_priv_apsh_regions *regions)
{
    struct doca_priv_apsh_json *json = &regions->json;
    uint64_t start = 0, len = 0;
    bool has_start = false, has_len = false;

    if (!doca_priv_apsh_json_object(json))
        return false;
    while (doca_priv_apsh_json_key(json)) {
        if (doca_priv_apsh_json_is(json, "start"))
            has_start = doca_priv_apsh_json_integer(json, &start);
        else if (doca_priv_apsh_json_is(json, "length"))
            has_len = doca_priv_apsh_json_integer(json, &len);
        else
            doca_priv_apsh_json_skip(json);
    }
    if (json->reason != NULL)
        return false;
    if (!has_start || !has_len)
        return doca_priv_apsh_json_bad(json, "a region without \"start\" or \"length\"");
    return doca_priv_apsh_regions_add(regions, start, len);
}

/* Join regions that overlap or touch. */
static void doca_priv_apsh_regions_join(struct doca_priv_apsh_regions *regions)
{
    struct doca_core_region *list = regions->list;
    uint32_t i, num = 0;

    for (i = 0; i < regions->num; i++) {
        const uint64_t end = list[i].addr + list[i].len;

        if (num == 0 || list[i].addr > list[num - 1].addr + list[num - 1].len)
            list[num++] = list[i];
        else if (end > list[num - 1].addr + list[num - 1].len)
            list[num - 1].len = end - list[num - 1].addr;
    }
    regions->num = num;
}

/* Read the file at `path`. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_regions_load(struct doca_priv_apsh_regions *regions,
                                                        const char *path, const char *function)
{
    struct doca_priv_apsh_json *json = &regions->json;
    uint64_t budget = DOCA_PRIV_APSH_REGIONS_BYTES;

    regions->num = 0;
    if (doca_priv_apsh_json_open(json, path, &budget) && doca_priv_apsh_json_object(json)) {
        while (doca_priv_apsh_json_key(json)) {
            if (!doca_priv_apsh_json_is(json, "allowed_regions")) {
                doca_priv_apsh_json_skip(json);
                continue;
            }
            if (doca_priv_apsh_json_object(json))
                while (doca_priv_apsh_json_key(json))
                    (void)doca_priv_apsh_regions_one(regions);
        }
        doca_priv_apsh_json_end(json);
        if (regions->num == 0)
            (void)doca_priv_apsh_json_bad(json, "no region in \"allowed_regions\"");
    }
    doca_priv_apsh_json_close(json);
    doca_priv_apsh_regions_join(regions);
    return json->reason == NULL
               ? DOCA_SUCCESS
               : doca_priv_apsh_file_fail(json, DOCA_CORE_ITEM_APSH_REGIONS, function);
}

/* Compute the intersections of the regions of the file with the regions of the device, and write
 * them to `to` if it is not NULL. Returns their number, and the sum of their lengths in *bytes. */
static uint32_t doca_priv_apsh_regions_common(const struct doca_priv_apsh_regions *regions,
                                              const struct doca_priv_apsh_mem *mem,
                                              struct doca_core_region *to, uint64_t *bytes)
{
    uint32_t i, k, num = 0;

    *bytes = 0;
    for (i = 0; i < regions->num; i++)
        for (k = 0; k < mem->num_regions; k++) {
            const struct doca_core_region *a = &regions->list[i], *b = &mem->regions[k];
            const uint64_t start = a->addr > b->addr ? a->addr : b->addr;
            const uint64_t ends[2] = { a->addr + a->len, b->addr + b->len };
            const uint64_t end = ends[0] < ends[1] ? ends[0] : ends[1];

            if (start >= end)
                continue;
            if (to != NULL) {
                to[num] = *b;
                to[num].addr = start;
                to[num].len = end - start;
            }
            *bytes += end - start;
            num++;
        }
    return num;
}

/* Restrict the memory of the target to the regions of the file at `path`. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_regions_use(struct doca_priv_apsh_mem *mem,
                                                       const char *path, const char *function)
{
    struct doca_priv_apsh_regions *regions;
    uint64_t listed = 0, common = 0;
    void *block = NULL, *list = NULL;
    uint32_t i, num;
    doca_error_t rc = doca_core_arena_take(mem->arena, sizeof(*regions), &block);

    if (rc != DOCA_SUCCESS)
        return rc;
    regions = (struct doca_priv_apsh_regions *)block;
    rc = doca_priv_apsh_regions_load(regions, path, function);
    for (i = 0; i < regions->num; i++)
        listed += regions->list[i].len;
    num = doca_priv_apsh_regions_common(regions, mem, NULL, &common);
    if (rc == DOCA_SUCCESS && num == 0) {
        (void)doca_priv_apsh_json_bad(&regions->json, "none of its regions is memory that the "
                                                      "device reaches");
        rc = doca_priv_apsh_file_fail(&regions->json, DOCA_CORE_ITEM_APSH_REGIONS, function);
    }
    if (rc == DOCA_SUCCESS)
        rc = doca_core_arena_take(mem->arena, num * sizeof(*mem->regions), &list);
    if (rc == DOCA_SUCCESS) {
        (void)doca_priv_apsh_regions_common(regions, mem, (struct doca_core_region *)list, &common);
        if (common < listed)
            (void)doca_core_backend_fail(DOCA_SUCCESS, DOCA_CORE_ITEM_APSH_REGIONS_DIFFER, function,
                                         NULL, 0);
        mem->allowed = (struct doca_core_region *)list;
        mem->regions = mem->allowed;
        mem->num_regions = num;
    }
    (void)doca_core_arena_give(mem->arena, block);
    return rc;
}

/* part: src/compat/apsh/inflate.c */
/* ---- >>impl.apsh.inflate ---------------------------------------------------------------------
 * The deflate format (RFC 1951), and stored members. Each read continues where the previous read
 * stopped, even in the middle of a copy.                                                        */

#define DOCA_PRIV_APSH_END_OF_BLOCK 256u
#define DOCA_PRIV_APSH_LITERALS_MAX 286u  /* symbols that a block may define */
#define DOCA_PRIV_APSH_DISTANCES_MAX 30u

static bool doca_priv_apsh_inflate_bad(struct doca_priv_apsh_inflate *inflate, const char *reason)
{
    return doca_priv_apsh_json_bad(inflate->file, reason);
}

/* ---- bits ---- */

/* Read bytes until `num` bits are available, or the member has ended. */
static void doca_priv_apsh_bits_fill(struct doca_priv_apsh_inflate *inflate, uint32_t num)
{
    int byte;

    while (inflate->num_bits < num && inflate->packed_left > 0) {
        byte = doca_priv_apsh_json_byte(inflate->file);
        if (byte < 0) {
            (void)doca_priv_apsh_inflate_bad(inflate, "the file ends inside a member");
            return;
        }
        inflate->packed_left--;
        inflate->bits |= (uint32_t)byte << inflate->num_bits;
        inflate->num_bits += 8;
    }
}

/* Remove used bits from the buffer. */
static bool doca_priv_apsh_bits_drop(struct doca_priv_apsh_inflate *inflate, uint32_t num)
{
    if (num > inflate->num_bits)
        return doca_priv_apsh_inflate_bad(inflate, "a member ends too early");
    inflate->bits >>= num;
    inflate->num_bits -= num;
    return true;
}

/* Take a number of up to 15 bits from the buffer. Returns 0 after an error. */
static uint32_t doca_priv_apsh_bits_take(struct doca_priv_apsh_inflate *inflate, uint32_t num)
{
    uint32_t value;

    doca_priv_apsh_bits_fill(inflate, num);
    value = inflate->bits & ((1u << num) - 1);
    return doca_priv_apsh_bits_drop(inflate, num) ? value : 0;
}

/* ---- codes ---- */

/* Enter a short code into the table. The first bit of a code is its most significant bit, but the
 * table is indexed by the bits in the order of the stream, so the bits are reversed. */
static void doca_priv_apsh_code_quick(struct doca_priv_apsh_code *code, uint32_t bits, uint32_t len,
                                      uint32_t symbol)
{
    uint32_t reversed = 0, i;

    for (i = 0; i < len; i++)
        reversed |= (bits >> i & 1) << (len - 1 - i);
    for (i = reversed; i < 1u << DOCA_PRIV_APSH_QUICK_BITS; i += 1u << len)
        code->quick[i] = (uint16_t)(symbol << 4 | len);
}

/* Make a code from the lengths of the codes of `num` symbols. A length of 0 means that the symbol
 * has no code. Returns false when no prefix code has these lengths. A code without symbols, or with
 * one symbol and a length of one bit, is accepted; in every other code each sequence of bits must
 * have a meaning. */
static bool doca_priv_apsh_code_make(struct doca_priv_apsh_code *code, const uint8_t *lengths,
                                     uint32_t num)
{
    uint32_t firsts[DOCA_PRIV_APSH_CODE_BITS + 1], places[DOCA_PRIV_APSH_CODE_BITS + 1];
    uint32_t len, i, place = 0, first = 0;

    memset(code, 0, sizeof(*code));
    for (i = 0; i < num; i++)
        code->num[lengths[i]]++;
    code->num[0] = 0;
    for (len = 1; len <= DOCA_PRIV_APSH_CODE_BITS; len++) {
        first *= 2;
        firsts[len] = first;
        places[len] = place;
        first += code->num[len];
        place += code->num[len];
        if (first > 1u << len)
            return false;
    }
    if (first != 1u << DOCA_PRIV_APSH_CODE_BITS && place != 0 && (place != 1 || code->num[1] != 1))
        return false;
    for (i = 0; i < num; i++) {
        len = lengths[i];
        if (len == 0)
            continue;
        if (len <= DOCA_PRIV_APSH_QUICK_BITS)
            doca_priv_apsh_code_quick(code, firsts[len], len, i);
        firsts[len]++;
        code->symbols[places[len]++] = (uint16_t)i;
    }
    return true;
}

/* Decode a symbol. Returns UINT32_MAX after an error. */
static uint32_t doca_priv_apsh_code_read(struct doca_priv_apsh_inflate *inflate,
                                         const struct doca_priv_apsh_code *code)
{
    uint32_t quick, len, value = 0, first = 0, place = 0;

    doca_priv_apsh_bits_fill(inflate, DOCA_PRIV_APSH_CODE_BITS);
    quick = code->quick[inflate->bits & ((1u << DOCA_PRIV_APSH_QUICK_BITS) - 1)];
    if (quick != 0)
        return doca_priv_apsh_bits_drop(inflate, quick & 15) ? quick >> 4 : UINT32_MAX;
    for (len = 1; len <= DOCA_PRIV_APSH_CODE_BITS && len <= inflate->num_bits; len++) {
        value = 2 * value + (inflate->bits >> (len - 1) & 1);
        first *= 2;
        if (value < first + code->num[len]) {
            (void)doca_priv_apsh_bits_drop(inflate, len);
            return code->symbols[place + value - first];
        }
        first += code->num[len];
        place += code->num[len];
    }
    (void)doca_priv_apsh_inflate_bad(inflate, len > DOCA_PRIV_APSH_CODE_BITS
                                                  ? "a member has a code that it does not define"
                                                  : "a member ends too early");
    return UINT32_MAX;
}

/* ---- blocks ---- */

/* Set the codes that the format itself defines. */
static void doca_priv_apsh_block_fixed(struct doca_priv_apsh_inflate *inflate)
{
    uint8_t lengths[DOCA_PRIV_APSH_SYMBOLS_MAX];
    uint32_t i;

    for (i = 0; i < DOCA_PRIV_APSH_SYMBOLS_MAX; i++)
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    (void)doca_priv_apsh_code_make(&inflate->literals, lengths, DOCA_PRIV_APSH_SYMBOLS_MAX);
    memset(lengths, 5, 32);
    (void)doca_priv_apsh_code_make(&inflate->distances, lengths, 32);
}

/* Read the lengths of `num` codes. These lengths are coded themselves. */
static bool doca_priv_apsh_block_lengths(struct doca_priv_apsh_inflate *inflate, uint8_t *lengths,
                                         uint32_t num)
{
    uint32_t i = 0, symbol, repeat;
    uint8_t value;

    while (i < num) {
        symbol = doca_priv_apsh_code_read(inflate, &inflate->distances);
        value = 0;
        repeat = 1;
        if (symbol < 16) {
            value = (uint8_t)symbol;
        } else if (symbol == 16 && i > 0) {
            value = lengths[i - 1];
            repeat = 3 + doca_priv_apsh_bits_take(inflate, 2);
        } else if (symbol == 17) {
            repeat = 3 + doca_priv_apsh_bits_take(inflate, 3);
        } else if (symbol == 18) {
            repeat = 11 + doca_priv_apsh_bits_take(inflate, 7);
        } else {
            return doca_priv_apsh_inflate_bad(inflate, "a member repeats no length");
        }
        if (inflate->file->reason != NULL)
            return false;
        if (repeat > num - i)
            return doca_priv_apsh_inflate_bad(inflate, "a member has too many lengths of codes");
        while (repeat-- > 0)
            lengths[i++] = value;
    }
    return true;
}

/* Read the codes of a block. */
static bool doca_priv_apsh_block_codes(struct doca_priv_apsh_inflate *inflate)
{
    static const uint8_t order[19] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1,
                                       15 };
    uint8_t lengths[DOCA_PRIV_APSH_LITERALS_MAX + DOCA_PRIV_APSH_DISTANCES_MAX];
    uint8_t outer[19];
    const uint32_t num_literals = 257 + doca_priv_apsh_bits_take(inflate, 5);
    const uint32_t num_distances = 1 + doca_priv_apsh_bits_take(inflate, 5);
    const uint32_t num_outer = 4 + doca_priv_apsh_bits_take(inflate, 4);
    uint32_t i;

    if (num_literals > DOCA_PRIV_APSH_LITERALS_MAX || num_distances > DOCA_PRIV_APSH_DISTANCES_MAX)
        return doca_priv_apsh_inflate_bad(inflate, "a member defines too many codes");
    memset(outer, 0, sizeof(outer));
    for (i = 0; i < num_outer; i++)
        outer[order[i]] = (uint8_t)doca_priv_apsh_bits_take(inflate, 3);
    if (!doca_priv_apsh_code_make(&inflate->distances, outer, 19))
        return doca_priv_apsh_inflate_bad(inflate, "a member has lengths that are no code");
    if (!doca_priv_apsh_block_lengths(inflate, lengths, num_literals + num_distances))
        return false;
    if (lengths[DOCA_PRIV_APSH_END_OF_BLOCK] == 0)
        return doca_priv_apsh_inflate_bad(inflate, "a member has a block without an end");
    if (!doca_priv_apsh_code_make(&inflate->literals, lengths, num_literals) ||
        !doca_priv_apsh_code_make(&inflate->distances, lengths + num_literals, num_distances))
        return doca_priv_apsh_inflate_bad(inflate, "a member has lengths that are no code");
    return true;
}

/* Read the head of a stored block, which begins at a byte boundary. */
static bool doca_priv_apsh_block_raw(struct doca_priv_apsh_inflate *inflate)
{
    uint32_t len, inverse;

    (void)doca_priv_apsh_bits_drop(inflate, inflate->num_bits % 8);
    len = doca_priv_apsh_bits_take(inflate, 8);
    len |= doca_priv_apsh_bits_take(inflate, 8) << 8;
    inverse = doca_priv_apsh_bits_take(inflate, 8);
    inverse |= doca_priv_apsh_bits_take(inflate, 8) << 8;
    if (len != (inverse ^ 0xffff))
        return doca_priv_apsh_inflate_bad(inflate, "a member has a damaged length");
    inflate->raw_left = len;
    return true;
}

/* Read the head of the next block. */
static bool doca_priv_apsh_block_next(struct doca_priv_apsh_inflate *inflate)
{
    uint32_t kind;

    inflate->is_last = doca_priv_apsh_bits_take(inflate, 1) != 0;
    kind = doca_priv_apsh_bits_take(inflate, 2);
    if (inflate->file->reason != NULL)
        return false;
    inflate->block = kind == 0 ? DOCA_PRIV_APSH_BLOCK_RAW : DOCA_PRIV_APSH_BLOCK_CODES;
    if (kind == 0)
        return doca_priv_apsh_block_raw(inflate);
    if (kind == 1)
        doca_priv_apsh_block_fixed(inflate);
    else if (kind == 3)
        return doca_priv_apsh_inflate_bad(inflate, "a member has a block of no known kind");
    return kind == 1 || doca_priv_apsh_block_codes(inflate);
}

/* Begin a copy. `symbol` encodes its length. */
static bool doca_priv_apsh_copy_begin(struct doca_priv_apsh_inflate *inflate, uint32_t symbol)
{
    const uint32_t place = symbol - 257; /* index in the table of lengths */
    uint32_t more;

    if (place == 28) {
        inflate->copy_left = 258;
    } else if (place < 28) { /* 8 lengths have no extra bits, 4 have 1, 4 have 2, ... */
        more = place < 8 ? 0 : place / 4 - 1;
        inflate->copy_left = more == 0 ? place + 3 : ((4 + place % 4) << more) + 3;
        inflate->copy_left += doca_priv_apsh_bits_take(inflate, more);
    } else {
        return doca_priv_apsh_inflate_bad(inflate, "a member has a copy of no known length");
    }
    symbol = doca_priv_apsh_code_read(inflate, &inflate->distances);
    if (inflate->file->reason != NULL)
        return false;
    if (symbol >= DOCA_PRIV_APSH_DISTANCES_MAX)
        return doca_priv_apsh_inflate_bad(inflate, "a member has a copy of no known distance");
    more = symbol < 4 ? 0 : symbol / 2 - 1;
    inflate->distance = more == 0 ? symbol + 1 : ((2 + symbol % 2) << more) + 1;
    inflate->distance += doca_priv_apsh_bits_take(inflate, more);
    return inflate->distance <= inflate->num_out ||
           doca_priv_apsh_inflate_bad(inflate, "a member has a copy of what is before its begin");
}

/* ---- output ---- */

/* Get the next byte. Returns -1 when a block begins or ends instead, or after an error. */
static int doca_priv_apsh_inflate_byte(struct doca_priv_apsh_inflate *inflate)
{
    uint32_t symbol;

    if (inflate->copy_left == 0 && inflate->block == DOCA_PRIV_APSH_BLOCK_CODES) {
        symbol = doca_priv_apsh_code_read(inflate, &inflate->literals);
        if (symbol < DOCA_PRIV_APSH_END_OF_BLOCK)
            return (int)symbol;
        if (symbol == UINT32_MAX)
            return -1;
        if (symbol == DOCA_PRIV_APSH_END_OF_BLOCK) {
            inflate->block =
                inflate->is_last ? DOCA_PRIV_APSH_BLOCK_END : DOCA_PRIV_APSH_BLOCK_NEXT;
            return -1;
        }
        if (!doca_priv_apsh_copy_begin(inflate, symbol))
            return -1;
    }
    if (inflate->copy_left > 0) {
        inflate->copy_left--;
        return inflate->history[(inflate->at - inflate->distance) % DOCA_PRIV_APSH_HISTORY];
    }
    if (inflate->block == DOCA_PRIV_APSH_BLOCK_NEXT) {
        (void)doca_priv_apsh_block_next(inflate);
        return -1;
    }
    if (inflate->raw_left > 0) {
        inflate->raw_left--;
        symbol = doca_priv_apsh_bits_take(inflate, 8);
        return inflate->file->reason == NULL ? (int)symbol : -1;
    }
    inflate->block = inflate->is_last ? DOCA_PRIV_APSH_BLOCK_END : DOCA_PRIV_APSH_BLOCK_NEXT;
    return -1;
}

/* Compare the size and the checksum of the unpacked bytes with the directory of the file. */
static void doca_priv_apsh_inflate_end(struct doca_priv_apsh_inflate *inflate)
{
    if (inflate->size_left > 0)
        (void)doca_priv_apsh_inflate_bad(inflate, "a member is shorter than its size");
    else if (inflate->packed_left > 0 || inflate->num_bits >= 8)
        (void)doca_priv_apsh_inflate_bad(inflate, "a member has bytes behind its end");
    else if (~inflate->crc != inflate->crc_wanted)
        (void)doca_priv_apsh_inflate_bad(inflate, "a member has another checksum");
}

/* Unpack up to `len` bytes to `to`; when `to` is NULL, discard them. Returns fewer bytes at the end
 * of the member and after an error, whose reason is then in inflate->file. At the end of the
 * member, the size and the checksum are compared with the directory. */
DOCA_PRIV_DECL size_t doca_priv_apsh_inflate_read(struct doca_priv_apsh_inflate *inflate,
                                                  unsigned char *to, size_t len)
{
    size_t num = 0;
    int byte;

    while (num < len && inflate->file->reason == NULL &&
           inflate->block != DOCA_PRIV_APSH_BLOCK_END) {
        byte = doca_priv_apsh_inflate_byte(inflate);
        if (byte < 0) {
            if (inflate->block == DOCA_PRIV_APSH_BLOCK_END && inflate->file->reason == NULL)
                doca_priv_apsh_inflate_end(inflate);
            continue;
        }
        if (inflate->size_left == 0) {
            (void)doca_priv_apsh_inflate_bad(inflate, "a member is longer than its size");
            break;
        }
        if (*inflate->work == 0) {
            (void)doca_priv_apsh_inflate_bad(inflate, "more to unpack than may be");
            break;
        }
        --*inflate->work;
        inflate->size_left--;
        inflate->history[inflate->at++ % DOCA_PRIV_APSH_HISTORY] = (unsigned char)byte;
        inflate->num_out += inflate->num_out < DOCA_PRIV_APSH_HISTORY;
        inflate->crc = inflate->crc >> 8 ^ inflate->crcs[(inflate->crc ^ (uint32_t)byte) & 255];
        if (to != NULL)
            to[num] = (unsigned char)byte;
        num++;
    }
    return num;
}

/* Begin to unpack the member at the current place of the file. */
DOCA_PRIV_DECL void doca_priv_apsh_inflate_begin(struct doca_priv_apsh_inflate *inflate,
                                                 struct doca_priv_apsh_json *file, bool is_deflated,
                                                 uint64_t packed, uint64_t size, uint32_t crc,
                                                 uint64_t *work)
{
    uint32_t i, k, value;

    memset(inflate, 0, offsetof(struct doca_priv_apsh_inflate, crcs));
    for (i = 0; i < 256; i++) {
        for (value = i, k = 0; k < 8; k++)
            value = (value & 1) != 0 ? value >> 1 ^ 0xedb88320u : value >> 1;
        inflate->crcs[i] = value;
    }
    inflate->file = file;
    inflate->packed_left = packed;
    inflate->size_left = size;
    inflate->work = work;
    inflate->crc = UINT32_MAX;
    inflate->crc_wanted = crc;
    inflate->block = is_deflated ? DOCA_PRIV_APSH_BLOCK_NEXT : DOCA_PRIV_APSH_BLOCK_RAW;
    inflate->raw_left = is_deflated ? 0 : packed;
    inflate->is_last = !is_deflated;
}

/* part: src/compat/apsh/zip.c */
/* ---- >>impl.apsh.zip -------------------------------------------------------------------------
 * Read a zip file. Its directory is near the end of the file, followed by a record and an optional
 * comment. Opening the file reads the directory once, so that damage is reported before a member is
 * used. Each pass through the directory checks everything again, because the file may have changed.
 *                                                                                               */

#define DOCA_PRIV_APSH_ZIP_END 22u  /* bytes of the record at the end */
#define DOCA_PRIV_APSH_ZIP_ENTRY 46u /* bytes of an entry of the directory without its name */
#define DOCA_PRIV_APSH_ZIP_HEAD 30u /* bytes of the head of a member without its name */
#define DOCA_PRIV_APSH_ZIP_COMMENT 65535u
#define DOCA_PRIV_APSH_ZIP_RATIO 1032u /* maximum ratio of deflate: unpacked bytes for each packed
                                        * byte */

static uint32_t doca_priv_apsh_zip_u16(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8;
}

/* Seek to an offset of the file, inside the window if possible. */
static bool doca_priv_apsh_zip_seek(struct doca_priv_apsh_zip *zip, uint64_t place)
{
    struct doca_priv_apsh_json *file = &zip->file;

    if (file->reason == NULL && place >= file->start && place - file->start <= file->filled) {
        file->next = (size_t)(place - file->start);
        return true;
    }
    return doca_priv_apsh_json_again(file, place);
}

/* Read bytes at the current offset. */
static bool doca_priv_apsh_zip_bytes(struct doca_priv_apsh_zip *zip, unsigned char *to, size_t len)
{
    size_t i;
    int byte;

    for (i = 0; i < len; i++) {
        byte = doca_priv_apsh_json_byte(&zip->file);
        if (byte < 0)
            return doca_priv_apsh_json_bad(&zip->file, "the file ends too early");
        to[i] = (unsigned char)byte;
    }
    return true;
}

/* Find the record at the end of a file of `bytes` bytes: the last one whose comment ends with the
 * file. Returns its offset, or UINT64_MAX. */
static uint64_t doca_priv_apsh_zip_find(struct doca_priv_apsh_zip *zip, uint64_t bytes,
                                        unsigned char record[DOCA_PRIV_APSH_ZIP_END])
{
    const uint64_t most = DOCA_PRIV_APSH_ZIP_END + DOCA_PRIV_APSH_ZIP_COMMENT;
    uint64_t at = bytes > most ? bytes - most : 0, found = UINT64_MAX;
    unsigned char latest[DOCA_PRIV_APSH_ZIP_END];

    memset(latest, 0, sizeof(latest));
    if (!doca_priv_apsh_zip_seek(zip, at))
        return UINT64_MAX;
    for (; at < bytes; at++) {
        memmove(latest, latest + 1, sizeof(latest) - 1);
        if (!doca_priv_apsh_zip_bytes(zip, latest + sizeof(latest) - 1, 1))
            return UINT64_MAX;
        if (memcmp(latest, "PK\5\6", 4) == 0 &&
            doca_priv_apsh_zip_u16(latest + 20) == bytes - at - 1) {
            found = at + 1 - sizeof(latest);
            memcpy(record, latest, sizeof(latest));
        }
    }
    return found;
}

/* Read the record at the end of the file. */
static bool doca_priv_apsh_zip_end(struct doca_priv_apsh_zip *zip)
{
    struct doca_priv_apsh_json *file = &zip->file;
    const off_t bytes = lseek(file->fd, 0, SEEK_END);
    unsigned char record[DOCA_PRIV_APSH_ZIP_END];
    uint64_t at, len;

    memset(record, 0, sizeof(record));
    if (bytes < 0 || lseek(file->fd, 0, SEEK_SET) != 0) { /* seek to where the window is */
        file->error = errno;
        return doca_priv_apsh_json_bad(file, "cannot be read");
    }
    at = doca_priv_apsh_zip_find(zip, (uint64_t)bytes, record);
    if (at == UINT64_MAX)
        return doca_priv_apsh_json_bad(file, "not a zip file, or cut");
    zip->num = doca_priv_apsh_zip_u16(record + 10);
    len = doca_priv_apsh_u32(record + 12);
    zip->directory = doca_priv_apsh_u32(record + 16);
    if (zip->num == UINT16_MAX || len == UINT32_MAX || zip->directory == UINT32_MAX)
        return doca_priv_apsh_json_bad(file, "the format zip64 is not supported");
    if (doca_priv_apsh_zip_u16(record + 4) != 0 || doca_priv_apsh_zip_u16(record + 6) != 0 ||
        doca_priv_apsh_zip_u16(record + 8) != zip->num)
        return doca_priv_apsh_json_bad(file, "a part of a zip file of several parts");
    zip->directory_end = zip->directory + len;
    return zip->directory_end == at ||
           doca_priv_apsh_json_bad(file, "the directory does not end where it should");
}

/* Start again with the first member. */
DOCA_PRIV_DECL void doca_priv_apsh_zip_rewind(struct doca_priv_apsh_zip *zip)
{
    zip->next = zip->directory;
    zip->next_number = 0;
}

/* Decode an entry of the directory. */
static bool doca_priv_apsh_zip_entry(struct doca_priv_apsh_zip *zip, const unsigned char *entry,
                                     struct doca_priv_apsh_packed *member)
{
    const uint32_t flags = doca_priv_apsh_zip_u16(entry + 8);
    const uint32_t method = doca_priv_apsh_zip_u16(entry + 10);

    member->crc = doca_priv_apsh_u32(entry + 16);
    member->packed = doca_priv_apsh_u32(entry + 20);
    member->size = doca_priv_apsh_u32(entry + 24);
    member->at = doca_priv_apsh_u32(entry + 42);
    member->is_deflated = method == 8;
    if (memcmp(entry, "PK\1\2", 4) != 0)
        return doca_priv_apsh_json_bad(&zip->file, "the directory is damaged");
    if (member->packed == UINT32_MAX || member->size == UINT32_MAX || member->at == UINT32_MAX)
        return doca_priv_apsh_json_bad(&zip->file, "the format zip64 is not supported");
    if ((flags & 0x2041) != 0) /* encrypted in one of three ways */
        return doca_priv_apsh_json_bad(&zip->file, "a member is encrypted");
    if (method != 0 && method != 8)
        return doca_priv_apsh_json_bad(&zip->file, "a member is neither stored nor deflated");
    if (method == 0 ? member->packed != member->size
                    : member->size > member->packed * DOCA_PRIV_APSH_ZIP_RATIO)
        return doca_priv_apsh_json_bad(&zip->file, "a member cannot have its size");
    return true;
}

/* Find the offset where a member must end: where the next member or, after the last member, the
 * directory begins. The entry of the next member is at zip->next. */
static bool doca_priv_apsh_zip_limit(struct doca_priv_apsh_zip *zip,
                                     struct doca_priv_apsh_packed *member)
{
    unsigned char entry[DOCA_PRIV_APSH_ZIP_ENTRY];

    member->limit = zip->directory;
    if (zip->next_number < zip->num) {
        if (zip->directory_end - zip->next < sizeof(entry))
            return doca_priv_apsh_json_bad(&zip->file, "the directory is too short");
        if (!doca_priv_apsh_zip_seek(zip, zip->next) ||
            !doca_priv_apsh_zip_bytes(zip, entry, sizeof(entry)))
            return false;
        member->limit = doca_priv_apsh_u32(entry + 42);
    } else if (zip->next != zip->directory_end) {
        return doca_priv_apsh_json_bad(&zip->file, "the directory is too long");
    }
    if (member->limit > zip->directory ||
        member->at + DOCA_PRIV_APSH_ZIP_HEAD + member->packed > member->limit)
        return doca_priv_apsh_json_bad(&zip->file, "members overlap, or are not in the order of "
                                                   "the directory");
    return true;
}

/* Read the next entry of the directory. Returns false at its end and after an error. */
DOCA_PRIV_DECL bool doca_priv_apsh_zip_next(struct doca_priv_apsh_zip *zip,
                                            struct doca_priv_apsh_packed *member)
{
    unsigned char entry[DOCA_PRIV_APSH_ZIP_ENTRY];
    uint64_t len;

    if (zip->next_number == zip->num || zip->file.reason != NULL)
        return false;
    if (zip->directory_end - zip->next < sizeof(entry))
        return doca_priv_apsh_json_bad(&zip->file, "the directory is too short");
    if (!doca_priv_apsh_zip_seek(zip, zip->next) ||
        !doca_priv_apsh_zip_bytes(zip, entry, sizeof(entry)) ||
        !doca_priv_apsh_zip_entry(zip, entry, member))
        return false;
    member->name_len = doca_priv_apsh_zip_u16(entry + 28);
    len = sizeof(entry) + member->name_len + doca_priv_apsh_zip_u16(entry + 30) +
          doca_priv_apsh_zip_u16(entry + 32);
    if (zip->directory_end - zip->next < len)
        return doca_priv_apsh_json_bad(&zip->file, "the directory is too short");
    if (member->name_len > DOCA_PRIV_APSH_MEMBER_NAME)
        member->name_len = 0;
    if (!doca_priv_apsh_zip_bytes(zip, (unsigned char *)member->name, member->name_len))
        return false;
    member->name[member->name_len] = '\0';
    zip->next += len;
    zip->next_number++;
    return doca_priv_apsh_zip_limit(zip, member);
}

/* Begin to unpack a member. `work`: bytes that the call may still unpack. */
DOCA_PRIV_DECL bool doca_priv_apsh_zip_unpack(struct doca_priv_apsh_zip *zip,
                                              const struct doca_priv_apsh_packed *member,
                                              struct doca_priv_apsh_inflate *inflate,
                                              uint64_t *work)
{
    unsigned char head[DOCA_PRIV_APSH_ZIP_HEAD];
    uint64_t data;

    if (!doca_priv_apsh_zip_seek(zip, member->at) ||
        !doca_priv_apsh_zip_bytes(zip, head, sizeof(head)))
        return false;
    if (memcmp(head, "PK\3\4", 4) != 0 ||
        doca_priv_apsh_zip_u16(head + 8) != (member->is_deflated ? 8u : 0u))
        return doca_priv_apsh_json_bad(&zip->file, "the head of a member is damaged");
    data = member->at + sizeof(head) + doca_priv_apsh_zip_u16(head + 26) +
           doca_priv_apsh_zip_u16(head + 28);
    if (data > member->limit || member->packed > member->limit - data)
        return doca_priv_apsh_json_bad(&zip->file, "members overlap");
    if (!doca_priv_apsh_zip_seek(zip, data))
        return false;
    doca_priv_apsh_inflate_begin(inflate, &zip->file, member->is_deflated, member->packed,
                                 member->size, member->crc, work);
    return true;
}

/* Open a zip file, and check its directory. Returns false on failure, with the reason in zip->file.
 * `budget`: bytes that may still be read; it is counted down. The caller closes the file in any
 * case. */
DOCA_PRIV_DECL bool doca_priv_apsh_zip_open(struct doca_priv_apsh_zip *zip, const char *path,
                                            uint64_t *budget)
{
    struct doca_priv_apsh_packed member;

    zip->num = 0;
    if (!doca_priv_apsh_json_open(&zip->file, path, budget) || !doca_priv_apsh_zip_end(zip))
        return false;
    if (zip->num == 0 && zip->directory != zip->directory_end)
        return doca_priv_apsh_json_bad(&zip->file, "the directory is too long");
    doca_priv_apsh_zip_rewind(zip);
    while (doca_priv_apsh_zip_next(zip, &member))
        ;
    doca_priv_apsh_zip_rewind(zip);
    return zip->file.reason == NULL;
}

/* part: src/compat/apsh/pairs.c */
/* ---- >>impl.apsh.pairs -----------------------------------------------------------------------
 * Compare pairs of pages. All tasks of a comparison are submitted before the first is awaited.  */

#ifdef DOCA_CORE_NO_SHA

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_pairs_open(struct doca_priv_apsh_pairs *pairs,
                                                      struct doca_core_arena *arena,
                                                      struct doca_dev *dev)
{
    (void)arena;
    (void)dev;
    memset(pairs, 0, offsetof(struct doca_priv_apsh_pairs, digests));
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL void doca_priv_apsh_pairs_close(struct doca_priv_apsh_pairs *pairs)
{
    (void)pairs;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_comparison(struct doca_dev *dev, size_t *bytes)
{
    if (bytes == NULL || dev == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_COMPARISON;
    return DOCA_SUCCESS;
}

static bool doca_priv_apsh_pairs_hash(struct doca_priv_apsh_pairs *pairs, const uint8_t *numbers,
                                      uint32_t num)
{
    (void)pairs;
    (void)numbers;
    (void)num;
    return false;
}

#else

#define DOCA_PRIV_APSH_LOG_TASKS 5u      /* log2 of the number of tasks, two tasks for each pair */
#define DOCA_PRIV_APSH_HASHING 100000000u /* progress calls after which a device counts as stuck */

DOCA_PRIV_APSH_ASSERT(tasks_are_enough,
                      1u << DOCA_PRIV_APSH_LOG_TASKS == 2 * DOCA_PRIV_APSH_PAIRS)

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_comparison(struct doca_dev *dev, size_t *bytes)
{
    size_t sha = 0;
    doca_error_t rc;

    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    rc = doca_core_bytes_sha(dev, 2 * DOCA_PRIV_APSH_PAIRS, 0, &sha);
    if (rc == DOCA_SUCCESS)
        *bytes = sha + DOCA_CORE_BYTES_APSH_COMPARISON -
                 DOCA_CORE_BYTES_SHA(2 * DOCA_PRIV_APSH_PAIRS, 0);
    return rc;
}

/* Release the buffers and the task of a page. */
static void doca_priv_apsh_pairs_done(struct doca_sha_task_hash *task, union doca_data task_data,
                                      union doca_data ctx_data)
{
    struct doca_priv_apsh_pairs *pairs = (struct doca_priv_apsh_pairs *)ctx_data.ptr;
    struct doca_buf *src = (struct doca_buf *)(uintptr_t)doca_sha_task_hash_get_src(task);
    struct doca_buf *dst = (struct doca_buf *)(uintptr_t)doca_sha_task_hash_get_dst(task);

    (void)task_data;
    doca_task_free(doca_sha_task_hash_as_task(task));
    (void)doca_buf_dec_refcount(src, NULL);
    (void)doca_buf_dec_refcount(dst, NULL);
    pairs->num_inflight--;
}

static void doca_priv_apsh_pairs_failed(struct doca_sha_task_hash *task, union doca_data task_data,
                                        union doca_data ctx_data)
{
    ((struct doca_priv_apsh_pairs *)ctx_data.ptr)->has_failed = true;
    doca_priv_apsh_pairs_done(task, task_data, ctx_data);
}

/* Submit the task that hashes a page. */
static bool doca_priv_apsh_pairs_submit(struct doca_priv_apsh_pairs *pairs, uint32_t page)
{
    struct doca_sha_task_hash *task;
    struct doca_buf *src = NULL, *dst = NULL;
    union doca_data data;
    doca_error_t rc;

    data.ptr = NULL;
    rc = doca_buf_inventory_buf_get_by_data(pairs->inventory, pairs->mmap, pairs->pages[page],
                                            DOCA_PRIV_APSH_PAGE, &src);
    if (rc == DOCA_SUCCESS)
        rc = doca_buf_inventory_buf_get_by_addr(pairs->inventory, pairs->mmap,
                                                pairs->digests[page], DOCA_PRIV_APSH_DIGEST, &dst);
    if (rc == DOCA_SUCCESS)
        rc = doca_sha_task_hash_alloc_init(pairs->sha, DOCA_SHA_ALGORITHM_SHA256, src, dst, data,
                                           &task);
    if (rc == DOCA_SUCCESS) {
        rc = doca_task_submit(doca_sha_task_hash_as_task(task));
        if (rc != DOCA_SUCCESS)
            doca_task_free(doca_sha_task_hash_as_task(task));
    }
    if (rc != DOCA_SUCCESS) {
        (void)doca_buf_dec_refcount(src, NULL);
        (void)doca_buf_dec_refcount(dst, NULL);
        return false;
    }
    pairs->num_inflight++;
    return true;
}

/* Hash both pages of each of the `num` pairs whose indices are in `numbers`. Returns false when a
 * task fails or is rejected. */
static bool doca_priv_apsh_pairs_hash(struct doca_priv_apsh_pairs *pairs, const uint8_t *numbers,
                                      uint32_t num)
{
    bool is_good = true;
    uint32_t i;

    for (i = 0; i < 2 * num && is_good; i++)
        is_good = doca_priv_apsh_pairs_submit(pairs, 2u * numbers[i / 2] + i % 2);
    for (i = 0; i < DOCA_PRIV_APSH_HASHING && pairs->num_inflight > 0; i++)
        (void)doca_pe_progress(pairs->pe);
    return is_good && !pairs->has_failed && pairs->num_inflight == 0;
}

/* Make progress until the SHA context is in this state. */
static bool doca_priv_apsh_pairs_await(struct doca_priv_apsh_pairs *pairs,
                                       enum doca_ctx_states wanted)
{
    enum doca_ctx_states state;
    uint32_t i;

    for (i = 0; i < DOCA_PRIV_APSH_HASHING; i++) {
        if (doca_ctx_get_state(doca_sha_as_ctx(pairs->sha), &state) != DOCA_SUCCESS)
            return false;
        if (state == wanted)
            return true;
        (void)doca_pe_progress(pairs->pe);
    }
    return false;
}

/* Create the SHA context, unless the device has no hash engine. */
static doca_error_t doca_priv_apsh_pairs_create(struct doca_priv_apsh_pairs *pairs,
                                                struct doca_core_arena *arena,
                                                struct doca_dev *dev)
{
    uint32_t num_tasks = 0;
    doca_error_t rc = doca_core_sha_create_in(arena, dev, &pairs->sha);

    if (rc == DOCA_SUCCESS)
        rc = doca_sha_cap_get_max_num_tasks(pairs->sha, &num_tasks);
    if (rc == DOCA_SUCCESS && num_tasks < 2 * DOCA_PRIV_APSH_PAIRS) {
        rc = doca_sha_destroy(pairs->sha);
        pairs->sha = NULL;
    }
    return rc;
}

/* Start the SHA context. */
static doca_error_t doca_priv_apsh_pairs_start(struct doca_priv_apsh_pairs *pairs)
{
    union doca_data data;
    doca_error_t rc;

    data.ptr = pairs;
    rc = doca_pe_connect_ctx(pairs->pe, doca_sha_as_ctx(pairs->sha));
    if (rc == DOCA_SUCCESS)
        rc = doca_ctx_set_user_data(doca_sha_as_ctx(pairs->sha), data);
    if (rc == DOCA_SUCCESS)
        rc = doca_sha_task_hash_set_conf(pairs->sha, doca_priv_apsh_pairs_done,
                                         doca_priv_apsh_pairs_failed, DOCA_PRIV_APSH_LOG_TASKS);
    if (rc == DOCA_SUCCESS)
        rc = doca_ctx_start(doca_sha_as_ctx(pairs->sha));
    if (rc != DOCA_SUCCESS && rc != DOCA_ERROR_IN_PROGRESS)
        return rc;
    return doca_priv_apsh_pairs_await(pairs, DOCA_CTX_STATE_RUNNING) ? DOCA_SUCCESS
                                                                     : DOCA_ERROR_IO_FAILED;
}

/* Open what the comparison needs. `pairs` is in memory that the device may read. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_pairs_open(struct doca_priv_apsh_pairs *pairs,
                                                      struct doca_core_arena *arena,
                                                      struct doca_dev *dev)
{
    doca_error_t rc;

    memset(pairs, 0, offsetof(struct doca_priv_apsh_pairs, digests));
    rc = doca_priv_apsh_pairs_create(pairs, arena, dev);
    if (rc != DOCA_SUCCESS || pairs->sha == NULL) {
        doca_priv_apsh_pairs_close(pairs);
        return rc;
    }
    rc = doca_core_mmap_create_in(arena, &pairs->mmap);
    if (rc == DOCA_SUCCESS)
        rc = doca_mmap_set_memrange(pairs->mmap, pairs->digests,
                                    sizeof(pairs->digests) + sizeof(pairs->pages));
    if (rc == DOCA_SUCCESS)
        rc = doca_mmap_add_dev(pairs->mmap, dev);
    if (rc == DOCA_SUCCESS)
        rc = doca_mmap_start(pairs->mmap);
    if (rc == DOCA_SUCCESS)
        rc = doca_core_buf_inventory_create_in(arena, 4 * DOCA_PRIV_APSH_PAIRS, &pairs->inventory);
    if (rc == DOCA_SUCCESS)
        rc = doca_buf_inventory_start(pairs->inventory);
    if (rc == DOCA_SUCCESS)
        rc = doca_core_pe_create_in(arena, &pairs->pe);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_pairs_start(pairs);
    if (rc != DOCA_SUCCESS)
        doca_priv_apsh_pairs_close(pairs);
    return rc;
}

/* Close everything that was opened. */
DOCA_PRIV_DECL void doca_priv_apsh_pairs_close(struct doca_priv_apsh_pairs *pairs)
{
    enum doca_ctx_states state;

    if (pairs->sha != NULL && pairs->pe != NULL &&
        doca_ctx_get_state(doca_sha_as_ctx(pairs->sha), &state) == DOCA_SUCCESS) {
        if (state == DOCA_CTX_STATE_RUNNING || state == DOCA_CTX_STATE_STARTING)
            (void)doca_ctx_stop(doca_sha_as_ctx(pairs->sha));
        (void)doca_priv_apsh_pairs_await(pairs, DOCA_CTX_STATE_IDLE);
    }
    if (pairs->sha != NULL)
        (void)doca_sha_destroy(pairs->sha);
    if (pairs->pe != NULL)
        (void)doca_pe_destroy(pairs->pe);
    if (pairs->inventory != NULL)
        (void)doca_buf_inventory_destroy(pairs->inventory);
    if (pairs->mmap != NULL)
        (void)doca_mmap_destroy(pairs->mmap);
    memset(pairs, 0, offsetof(struct doca_priv_apsh_pairs, digests));
}

#endif

/* Count the equal pairs among the `num` pairs whose indices are in `numbers`. A pair whose page of
 * the process could not be read counts as different. Returns false when the pages cannot be
 * hashed. */
DOCA_PRIV_DECL bool doca_priv_apsh_pairs_compare(struct doca_priv_apsh_pairs *pairs,
                                                 const uint8_t *numbers, uint32_t num,
                                                 uint32_t *num_equal)
{
    uint32_t i, k;
    bool is_equal;

    *num_equal = 0;
    if (pairs->sha != NULL && !doca_priv_apsh_pairs_hash(pairs, numbers, num))
        return false;
    for (i = 0; i < num; i++) {
        k = numbers[i];
        is_equal = pairs->sha != NULL
                       ? memcmp(pairs->digests[2 * k], pairs->digests[2 * k + 1],
                                DOCA_PRIV_APSH_DIGEST) == 0
                       : memcmp(pairs->pages[2 * k], pairs->pages[2 * k + 1],
                                DOCA_PRIV_APSH_PAGE) == 0;
        *num_equal += is_equal && pairs->is_whole[k];
    }
    return true;
}

/* part: src/compat/apsh/kpgd.c */
/* ---- >>impl.apsh.kpgd ------------------------------------------------------------------------
 * Read kpgd_file.conf.                                                                          */

#define DOCA_PRIV_APSH_KPGD_BYTES 4096u /* maximum length of the file */

static bool doca_priv_apsh_kpgd_is_blank(int byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* Read the next word as a hexadecimal number, with or without 0x before it. */
static bool doca_priv_apsh_kpgd_number(struct doca_priv_apsh_json *file, uint64_t *value)
{
    unsigned num_digits = 0;
    int byte;

    *value = 0;
    do
        byte = doca_priv_apsh_json_byte(file);
    while (doca_priv_apsh_kpgd_is_blank(byte));
    for (; byte >= 0 && !doca_priv_apsh_kpgd_is_blank(byte); num_digits++) {
        if (num_digits == 16)
            return doca_priv_apsh_json_bad(file, "a number of more than 16 digits");
        if (byte >= '0' && byte <= '9') {
            *value = *value << 4 | (uint64_t)(byte - '0');
        } else if ((byte | 32) >= 'a' && (byte | 32) <= 'f') {
            *value = *value << 4 | (uint64_t)((byte | 32) - 'a' + 10);
        } else if ((byte | 32) == 'x' && num_digits == 1 && *value == 0) {
            num_digits = UINT32_MAX; /* start again with the next word */
        } else {
            return doca_priv_apsh_json_bad(file, "no hexadecimal digit");
        }
        byte = doca_priv_apsh_json_byte(file);
    }
    return num_digits > 0 || doca_priv_apsh_json_bad(file, "fewer than two numbers");
}

/* Read the file at `path`, by means of `file`. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_kpgd_load(struct doca_priv_apsh_kpgd *kpgd,
                                                     struct doca_priv_apsh_json *file,
                                                     const char *path, const char *function)
{
    uint64_t budget = DOCA_PRIV_APSH_KPGD_BYTES;
    bool is_good = doca_priv_apsh_json_open(file, path, &budget) &&
                   doca_priv_apsh_kpgd_number(file, &kpgd->root) &&
                   doca_priv_apsh_kpgd_number(file, &kpgd->init_task);
    int byte = ' ';

    while (is_good && doca_priv_apsh_kpgd_is_blank(byte))
        byte = doca_priv_apsh_json_byte(file);
    if (is_good && byte >= 0)
        (void)doca_priv_apsh_json_bad(file, "more than two numbers");
    else if (is_good && file->reason == NULL && kpgd->root % 4096 != 0)
        (void)doca_priv_apsh_json_bad(file, "the address of the page directory is not that of a "
                                            "page");
    doca_priv_apsh_json_close(file);
    return file->reason == NULL
               ? DOCA_SUCCESS
               : doca_priv_apsh_file_fail(file, DOCA_CORE_ITEM_APSH_KPGD, function);
}

/* part: src/compat/apsh/find.c */
/* ---- >>impl.apsh.find ------------------------------------------------------------------------
 * Find the kernel of a target in its memory. First, search for a page that begins with a note named
 * VMCOREINFO. The kernel keeps this note for crash dumps; its text has the page directory, the
 * address of the image and the table of symbols. Otherwise, search for a page whose last entry
 * makes it a page directory that maps the kernel. Each such page is only a candidate, because a
 * guest can plant such pages, and freed memory contains old ones: the page tables must lead to the
 * image, the table of symbols to the banner, and the symbol __start_BTF to the type information.
 *                                                                                               */

#define DOCA_PRIV_APSH_NOTE_HEAD 24u /* bytes of the head of the note */
#define DOCA_PRIV_APSH_CANDIDATES 64u /* maximum number of notes, and of page directories, that are
                                       * tried */
#define DOCA_PRIV_APSH_IMAGE_MAX ((uint64_t)256 << 20) /* maximum length of an image in bytes */

DOCA_PRIV_APSH_ASSERT(scratch_has_its_size,
                      sizeof(struct doca_priv_apsh_scratch) <= DOCA_PRIV_APSH_SCRATCH_BYTES)

/* The state of the search, and its findings. */
struct doca_priv_apsh_search {
    struct doca_priv_apsh_kernel *kernel;
    struct doca_priv_apsh_scratch *scratch;
    struct doca_priv_apsh_maps maps;
    struct doca_priv_apsh_kpgd kpgd;
    bool has_kpgd;
    const char *missing; /* member that the type information of a kernel lacks */
    bool is_foreign;     /* a note belongs to a kernel for another processor */
    unsigned num_tried;
    uint64_t last; /* entry of the latest page directory */
};

/* Return the text after `key` at the beginning of a line, or NULL. */
static const char *doca_priv_apsh_note_find(const char *note, const char *key)
{
    const char *at = note;

    while (at != NULL && strncmp(at, key, strlen(key)) != 0) {
        at = strchr(at, '\n');
        at = at != NULL ? at + 1 : NULL;
    }
    return at != NULL ? at + strlen(key) : NULL;
}

/* Read a hexadecimal number of the note. */
static bool doca_priv_apsh_note_hex(const char *note, const char *key, uint64_t *value)
{
    const char *at = doca_priv_apsh_note_find(note, key);
    unsigned digits = 0;

    *value = 0;
    for (; at != NULL && digits < 16; at++, digits++) {
        if (*at >= '0' && *at <= '9')
            *value = *value << 4 | (uint64_t)(*at - '0');
        else if (*at >= 'a' && *at <= 'f')
            *value = *value << 4 | (uint64_t)(*at - 'a' + 10);
        else
            break;
    }
    return digits > 0;
}

/* Read a decimal number of the note, which may be negative. */
static bool doca_priv_apsh_note_number(const char *note, const char *key, uint64_t *value)
{
    const char *at = doca_priv_apsh_note_find(note, key), *first;
    const bool is_negative = at != NULL && *at == '-';

    *value = 0;
    if (at == NULL)
        return false;
    first = is_negative ? ++at : at;
    for (; *at >= '0' && *at <= '9'; at++)
        *value = *value * 10 + (uint64_t)(*at - '0');
    if (is_negative)
        *value = 0 - *value;
    return at != first;
}

/* Set the parts of the table of symbols whose addresses the note contains. */
static bool doca_priv_apsh_note_table(struct doca_priv_apsh_search *search, const char *note)
{
    struct doca_priv_apsh_kernel *kernel = search->kernel;
    struct doca_priv_apsh_table *table = &search->scratch->table;
    uint64_t num = 0, base = 0, places[4];
    unsigned char number[8];
    size_t i;
    static const char *const keys[4] = { "SYMBOL(kallsyms_names)=", "SYMBOL(kallsyms_token_table)=",
                                         "SYMBOL(kallsyms_token_index)=",
                                         "SYMBOL(kallsyms_offsets)=" };

    for (i = 0; i < 4; i++)
        if (!doca_priv_apsh_note_hex(note, keys[i], &places[i]) ||
            places[i] < kernel->image_start || places[i] >= kernel->image_end)
            return false;
    if (!doca_priv_apsh_note_hex(note, "SYMBOL(kallsyms_num_syms)=", &num) ||
        doca_priv_apsh_read(kernel, num, number, 4) != DOCA_SUCCESS)
        return false;
    table->num = doca_priv_apsh_u32(number);
    table->base = 0;
    if (doca_priv_apsh_note_hex(note, "SYMBOL(kallsyms_relative_base)=", &base)) {
        if (doca_priv_apsh_read(kernel, base, number, 8) != DOCA_SUCCESS)
            return false;
        table->base = doca_priv_apsh_u64(number);
    }
    table->names = places[0] - kernel->delta;
    table->tokens = places[1] - kernel->delta;
    table->index = places[2] - kernel->delta;
    table->offsets = places[3] - kernel->delta;
    return doca_priv_apsh_table_read(kernel, search->scratch);
}

/* Find the table of symbols in the image, and read it. If there is no table, all symbols and
 * members stay unknown. */
static bool doca_priv_apsh_find_names(struct doca_priv_apsh_search *search, const char *note)
{
    struct doca_priv_apsh_kernel *kernel = search->kernel;
    const uint64_t *task = &kernel->symbols[DOCA_PRIV_APSH_INIT_TASK];
    uint32_t i;

    for (i = 0; i < DOCA_PRIV_APSH_NUM_MEMBERS; i++)
        kernel->offsets[i] = -1;
    if (((note != NULL && doca_priv_apsh_note_table(search, note)) ||
         doca_priv_apsh_table_find(kernel, search->scratch)) &&
        *task >= kernel->image_start && *task < kernel->image_end)
        return true;
    memset(kernel->symbols, 0, sizeof(kernel->symbols));
    return false;
}

/* Read the type information that the symbols name, and look all members up. */
static bool doca_priv_apsh_find_types(struct doca_priv_apsh_search *search)
{
    struct doca_priv_apsh_kernel *kernel = search->kernel;
    const uint64_t start = kernel->symbols[DOCA_PRIV_APSH_START_BTF];
    const uint64_t stop = kernel->symbols[DOCA_PRIV_APSH_STOP_BTF];
    const char *missing;
    uint64_t physical;

    if (start < kernel->image_start || stop <= start || stop > kernel->image_end ||
        doca_priv_apsh_walk(kernel, kernel->root, start, &physical) != DOCA_SUCCESS ||
        physical != start - kernel->delta ||
        !doca_priv_apsh_btf_read(kernel, &search->scratch->btf, physical, stop - start)) {
        search->missing = "valid type information (BTF)";
        return false;
    }
    missing = doca_priv_apsh_layout(kernel, &search->scratch->btf);
    if (missing != NULL)
        search->missing = missing;
    return missing == NULL;
}

/* Find the direct map by the kernel's variable, and check that it maps the first task to the same
 * physical address as the page tables. Without a direct map, addresses are translated by walks. */
static void doca_priv_apsh_find_direct(struct doca_priv_apsh_kernel *kernel)
{
    const uint64_t task = kernel->symbols[DOCA_PRIV_APSH_INIT_TASK] - kernel->delta;
    unsigned char number[8];
    uint64_t direct, physical;

    if (kernel->symbols[DOCA_PRIV_APSH_DIRECT] == 0 ||
        doca_priv_apsh_read(kernel, kernel->symbols[DOCA_PRIV_APSH_DIRECT], number,
                            sizeof(number)) != DOCA_SUCCESS)
        return;
    direct = doca_priv_apsh_u64(number);
    if (direct >> 63 != 0 && direct % DOCA_PRIV_APSH_PAGE == 0 &&
        doca_priv_apsh_walk(kernel, kernel->root, direct + task, &physical) == DOCA_SUCCESS &&
        physical == task)
        kernel->direct = direct;
}

/* Try a page directory. `note`: text of the note that names it, or NULL. */
static bool doca_priv_apsh_try(struct doca_priv_apsh_search *search, const char *note)
{
    struct doca_priv_apsh_kernel *kernel = search->kernel;
    const struct doca_priv_apsh_mem *mem = &kernel->mem;
    bool is_told;

    search->num_tried++;
    kernel->direct = 0;
    if (!doca_priv_apsh_find_image(kernel) ||
        kernel->image_end - kernel->image_start > DOCA_PRIV_APSH_IMAGE_MAX || mem->budget == 0)
        return false;
    is_told = doca_priv_apsh_find_names(search, note) && doca_priv_apsh_find_types(search);
    if (search->maps.path != NULL ? !doca_priv_apsh_maps_use(&search->maps, kernel) : !is_told)
        return false;
    doca_priv_apsh_find_direct(kernel);
    return true;
}

/* Try the note in the page at `addr`. */
static bool doca_priv_apsh_try_note(struct doca_priv_apsh_search *search, uint64_t addr)
{
    struct doca_priv_apsh_kernel *kernel = search->kernel;
    char note[DOCA_PRIV_APSH_PAGE - DOCA_PRIV_APSH_NOTE_HEAD + 1];
    uint64_t root = 0, phys_base = 0, levels = 0, unused;

    if (doca_priv_apsh_mem_read(&kernel->mem, addr + DOCA_PRIV_APSH_NOTE_HEAD, note,
                                sizeof(note) - 1) != DOCA_SUCCESS)
        return false;
    note[sizeof(note) - 1] = '\0';
    if (doca_priv_apsh_note_number(note, "NUMBER(VA_BITS)=", &unused)) {
        search->is_foreign = true;
        return false;
    }
    if (!doca_priv_apsh_note_number(note, "NUMBER(phys_base)=", &phys_base) ||
        (!doca_priv_apsh_note_hex(note, "SYMBOL(init_top_pgt)=", &root) &&
         !doca_priv_apsh_note_hex(note, "SYMBOL(swapper_pg_dir)=", &root)))
        return false;
    (void)doca_priv_apsh_note_number(note, "NUMBER(pgtable_l5_enabled)=", &levels);
    kernel->has_5_levels = levels != 0;
    kernel->root = root - DOCA_PRIV_APSH_IMAGE_FIRST + phys_base;
    return doca_priv_apsh_mem_has(&kernel->mem, kernel->root, DOCA_PRIV_APSH_PAGE) &&
           doca_priv_apsh_try(search, note);
}

/* Try the page directory of the kernel with both numbers of levels. A directory of 5 levels that is
 * read as a directory of 4 levels can lead to something that looks like an image. */
static bool doca_priv_apsh_try_levels(struct doca_priv_apsh_search *search)
{
    unsigned i;

    for (i = 0; i < 2; i++) {
        search->kernel->has_5_levels = i == 1;
        if (doca_priv_apsh_find_image(search->kernel) && doca_priv_apsh_try(search, NULL))
            return true;
    }
    return false;
}

/* Try the page at `addr` as a page directory. All processes have the same entry for the kernel, so
 * a directory that has the same entry as the previous directory is left out. */
static bool doca_priv_apsh_try_root(struct doca_priv_apsh_search *search, uint64_t addr,
                                    uint64_t entry)
{
    if ((entry & 1) == 0 || entry == search->last ||
        !doca_priv_apsh_mem_has(&search->kernel->mem, entry & 0x000ffffffffff000u,
                                DOCA_PRIV_APSH_PAGE))
        return false;
    search->kernel->root = addr;
    search->last = entry;
    return doca_priv_apsh_try_levels(search);
}

/* Look at the pages of all regions: at their beginning for notes, or at their end for page
 * directories. */
static bool doca_priv_apsh_scan(struct doca_priv_apsh_search *search, bool is_for_notes)
{
    static const unsigned char head[] = { 11, 0, 0, 0 };
    struct doca_priv_apsh_mem *mem = &search->kernel->mem;
    const uint64_t step = (uint64_t)DOCA_PRIV_APSH_DEPTH * DOCA_PRIV_APSH_PAGE;
    const uint64_t at = is_for_notes ? 0 : DOCA_PRIV_APSH_PAGE - DOCA_PRIV_APSH_PROBE;
    unsigned char probes[DOCA_PRIV_APSH_DEPTH][DOCA_PRIV_APSH_PROBE];
    uint64_t addr, end;
    uint32_t r, i;

    search->num_tried = 0;
    for (r = 0; r < mem->num_regions; r++) {
        end = mem->regions[r].addr + mem->regions[r].len;
        for (addr = mem->regions[r].addr; addr < end; addr += step) {
            memcpy(probes, doca_priv_apsh_mem_probe(mem, addr + at, DOCA_PRIV_APSH_DEPTH),
                   sizeof(probes));
            for (i = 0; i < DOCA_PRIV_APSH_DEPTH; i++) {
                const uint64_t page = addr + i * (uint64_t)DOCA_PRIV_APSH_PAGE;
                const unsigned char *probe = probes[i];

                if (mem->budget == 0 || search->num_tried >= DOCA_PRIV_APSH_CANDIDATES)
                    return false;
                if (is_for_notes
                        ? memcmp(probe, head, sizeof(head)) == 0 &&
                              memcmp(probe + 12, "VMCOREINFO", 11) == 0 &&
                              doca_priv_apsh_try_note(search, page)
                        : doca_priv_apsh_try_root(search, page,
                                                  doca_priv_apsh_u64(probe +
                                                                     DOCA_PRIV_APSH_PROBE - 8)))
                    return true;
            }
        }
    }
    return false;
}

/* Try the page directory from the file that the program set. Returns false when it does not lead to
 * the kernel; *differs is then true if the file belongs to another boot. */
static bool doca_priv_apsh_try_kpgd(struct doca_priv_apsh_search *search, bool *differs)
{
    struct doca_priv_apsh_kernel *kernel = search->kernel;
    bool is_found = false;

    if (!search->has_kpgd)
        return false;
    if (doca_priv_apsh_mem_has(&kernel->mem, search->kpgd.root, DOCA_PRIV_APSH_PAGE)) {
        kernel->root = search->kpgd.root;
        is_found = doca_priv_apsh_try_levels(search);
    }
    *differs = !is_found || kernel->symbols[DOCA_PRIV_APSH_INIT_TASK] != search->kpgd.init_task;
    return is_found;
}

/* Log that a file of the program and the memory of the target contradict each other. */
static void doca_priv_apsh_note_difference(const struct doca_priv_apsh_search *search,
                                           bool kpgd_differs, const char *function)
{
    struct doca_core_refusal why;

    memset(&why, 0, sizeof(why));
    why.hint = search->maps.differs;
    if (kpgd_differs)
        (void)doca_core_backend_fail(DOCA_SUCCESS, DOCA_CORE_ITEM_APSH_KPGD_DIFFERS, function, NULL,
                                     0);
    if (search->maps.differs != NULL)
        (void)doca_core_backend_refuse(DOCA_SUCCESS, DOCA_CORE_ITEM_APSH_MAP_DIFFERS, function,
                                       NULL, &why);
}

/* Read the files that the program set. */
static doca_error_t doca_priv_apsh_find_files(struct doca_priv_apsh_search *search,
                                              char *const *files, const char *function)
{
    doca_error_t rc = DOCA_SUCCESS;

    search->has_kpgd = files[DOCA_APSH_KPGD_FILE] != NULL;
    if (search->has_kpgd)
        rc = doca_priv_apsh_kpgd_load(&search->kpgd, &search->maps.isf->json,
                                      files[DOCA_APSH_KPGD_FILE], function);
    if (rc == DOCA_SUCCESS && files[DOCA_APSH_OS_SYMBOL_MAP] != NULL)
        rc = doca_priv_apsh_maps_open(&search->maps, files[DOCA_APSH_OS_SYMBOL_MAP], function);
    return rc;
}

/* Report why no kernel was found. */
static doca_error_t doca_priv_apsh_find_fail(const struct doca_priv_apsh_search *search,
                                             const char *function)
{
    struct doca_core_refusal why;

    if (search->is_foreign)
        return DOCA_PRIV_APSH_FAIL(NOT_SUPPORTED, APSH_PROCESSOR, function);
    if (search->kernel->mem.budget == 0)
        return DOCA_PRIV_APSH_FAIL(INITIALIZATION, APSH_BUDGET, function);
    memset(&why, 0, sizeof(why));
    why.hint = search->maps.missing != NULL ? search->maps.missing : search->missing;
    if (search->maps.is_foreign && search->maps.missing == NULL)
        return DOCA_PRIV_APSH_FAIL(INITIALIZATION, APSH_MAP_FOREIGN, function);
    return why.hint != NULL
               ? doca_core_backend_refuse(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_LAYOUT,
                                          function, NULL, &why)
               : DOCA_PRIV_APSH_FAIL(INITIALIZATION, APSH_NO_KERNEL, function);
}

/* Find the kernel of a target. `files`: the paths that the program set; each may be
 * NULL. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_find(struct doca_priv_apsh_kernel *kernel,
                                                char *const *files, const char *function)
{
    struct doca_priv_apsh_search search;
    bool is_found = false, kpgd_differs = false;
    void *block = NULL;
    doca_error_t rc;

    memset(&search, 0, sizeof(search));
    rc = doca_priv_apsh_take(kernel->mem.arena, DOCA_PRIV_APSH_SCRATCH_BYTES, &block);
    if (rc != DOCA_SUCCESS)
        return rc;
    search.kernel = kernel;
    search.scratch = (struct doca_priv_apsh_scratch *)block;
    /* the block is used for only one of these two purposes at a time */
    search.maps.isf = (struct doca_priv_apsh_isf *)block;
    rc = doca_priv_apsh_find_files(&search, files, function);
    if (rc == DOCA_SUCCESS)
        is_found = doca_priv_apsh_try_kpgd(&search, &kpgd_differs) ||
                   doca_priv_apsh_scan(&search, true) || doca_priv_apsh_scan(&search, false);
    (void)doca_core_arena_give(kernel->mem.arena, block);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (!is_found)
        return doca_priv_apsh_find_fail(&search, function);
    doca_priv_apsh_note_difference(&search, kpgd_differs, function);
    return DOCA_SUCCESS;
}

/* part: src/compat/apsh/field.c */
/* ---- >>impl.apsh.field -----------------------------------------------------------------------
 * Members of the kernel's structures, and rings and lists of these structures. Each structure of a
 * ring must point back to the structure before it. Therefore a walk cannot be caught in a loop that
 * does not contain the head of the ring.                                                        */

DOCA_PRIV_DECL bool doca_priv_apsh_has(const struct doca_priv_apsh_kernel *kernel,
                                       enum doca_priv_apsh_member member)
{
    return kernel->offsets[member] >= 0;
}

/* Return the address of a member. */
DOCA_PRIV_DECL uint64_t doca_priv_apsh_in(const struct doca_priv_apsh_kernel *kernel,
                                          uint64_t object, enum doca_priv_apsh_member member)
{
    return object + (uint64_t)(int64_t)kernel->offsets[member];
}

/* Read a pointer or another 64-bit number of the kernel. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_read_64(struct doca_priv_apsh_kernel *kernel,
                                                   uint64_t addr, uint64_t *value)
{
    unsigned char bytes[8];
    doca_error_t rc = doca_priv_apsh_read(kernel, addr, bytes, sizeof(bytes));

    if (rc == DOCA_SUCCESS)
        *value = doca_priv_apsh_u64(bytes);
    return rc;
}

/* Read a member of 64 bits. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_get_64(struct doca_priv_apsh_kernel *kernel,
                                                  uint64_t object,
                                                  enum doca_priv_apsh_member member,
                                                  uint64_t *value)
{
    return doca_priv_apsh_read_64(kernel, doca_priv_apsh_in(kernel, object, member), value);
}

/* Read a member of 32 bits. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_get_32(struct doca_priv_apsh_kernel *kernel,
                                                  uint64_t object,
                                                  enum doca_priv_apsh_member member,
                                                  uint32_t *value)
{
    unsigned char bytes[4];
    doca_error_t rc = doca_priv_apsh_read(kernel, doca_priv_apsh_in(kernel, object, member), bytes,
                                          sizeof(bytes));

    if (rc == DOCA_SUCCESS)
        *value = doca_priv_apsh_u32(bytes);
    return rc;
}

/* Read the name of a task, and end it with a NUL. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_get_comm(struct doca_priv_apsh_kernel *kernel,
                                                    uint64_t task,
                                                    char comm[DOCA_PRIV_APSH_COMM + 1])
{
    comm[DOCA_PRIV_APSH_COMM] = '\0';
    return doca_priv_apsh_read(kernel, doca_priv_apsh_in(kernel, task, DOCA_PRIV_APSH_TASK_COMM),
                               comm, DOCA_PRIV_APSH_COMM);
}

/* Add an address of the kernel to a batch, which must have room. Addresses that are not
 * mapped, and addresses in recently accessed blocks, are left out. */
DOCA_PRIV_DECL void doca_priv_apsh_batch(struct doca_priv_apsh_kernel *kernel, uint64_t addr,
                                         uint64_t *addrs, uint32_t *num)
{
    if (!doca_priv_apsh_is_near(kernel, addr) &&
        doca_priv_apsh_translate(kernel, addr, &addrs[*num]) == DOCA_SUCCESS)
        ++*num;
}

/* Read the blocks that contain these members of a structure, in one batch. */
DOCA_PRIV_DECL void doca_priv_apsh_fetch(struct doca_priv_apsh_kernel *kernel, uint64_t object,
                                         const uint8_t *members, uint32_t num)
{
    uint64_t addrs[DOCA_PRIV_APSH_BATCH];
    uint32_t num_addrs = 0, i;

    for (i = 0; i < num && i < DOCA_PRIV_APSH_BATCH; i++)
        if (doca_priv_apsh_has(kernel, (enum doca_priv_apsh_member)members[i]))
            doca_priv_apsh_batch(
                kernel, doca_priv_apsh_in(kernel, object, (enum doca_priv_apsh_member)members[i]),
                addrs, &num_addrs);
    doca_priv_apsh_mem_fetch(&kernel->mem, addrs, num_addrs);
}

/* Move *object to the next structure of the ring. NOT_FOUND: that structure does not point back.
 * The value 0 stands for the head of the ring, before the first structure and after the last. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_ring_next(struct doca_priv_apsh_kernel *kernel,
                                                     const struct doca_priv_apsh_ring *ring,
                                                     uint64_t *object)
{
    const uint64_t link =
        *object == 0 ? ring->head : doca_priv_apsh_in(kernel, *object, ring->link);
    uint64_t next = 0, back = 0;
    doca_error_t rc = doca_priv_apsh_read_64(kernel, link, &next);

    if (rc != DOCA_SUCCESS)
        return rc;
    *object = 0;
    if (next != ring->head) {
        *object = next - (uint64_t)(int64_t)kernel->offsets[ring->link];
        doca_priv_apsh_fetch(kernel, *object, ring->members, ring->num_members);
    }
    rc = doca_priv_apsh_read_64(kernel, next + sizeof(next), &back);
    return rc == DOCA_SUCCESS && back != link ? DOCA_ERROR_NOT_FOUND : rc;
}

/* Count the structures of a ring, up to the limit. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_ring_count(struct doca_priv_apsh_kernel *kernel,
                                                      const struct doca_priv_apsh_ring *ring,
                                                      uint32_t limit, uint32_t *num)
{
    doca_error_t rc = DOCA_SUCCESS;
    uint64_t object = 0;

    for (*num = 0; *num < limit; ++*num) {
        rc = doca_priv_apsh_ring_next(kernel, ring, &object);
        if (rc != DOCA_SUCCESS || object == 0)
            break;
    }
    return rc;
}

/* Report that the kernel lacks a symbol or member that a list needs. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_lacks(const char *what, const char *function)
{
    struct doca_core_refusal why;

    memset(&why, 0, sizeof(why));
    why.hint = what;
    return doca_core_backend_refuse(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_LAYOUT, function,
                                    NULL, &why);
}

/* Check that the kernel has all these members. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_need(const struct doca_priv_apsh_kernel *kernel,
                                                const uint8_t *members, size_t num,
                                                const char *function)
{
    size_t i;

    for (i = 0; i < num; i++)
        if (!doca_priv_apsh_has(kernel, (enum doca_priv_apsh_member)members[i]))
            return doca_priv_apsh_lacks(doca_priv_apsh_layout_name(members[i]), function);
    return DOCA_SUCCESS;
}

/* Begin a list of a system or of a process. `limit`: attribute with the maximum number of items. */
DOCA_PRIV_DECL void doca_priv_apsh_list_begin(struct doca_priv_apsh_list *list,
                                              struct doca_apsh_system *system,
                                              const struct doca_apsh_process *process, int limit)
{
    if (process != NULL)
        system = ((const struct doca_priv_apsh_element *)(const void *)process)->snapshot->system;
    list->system = system;
    list->kernel = system->kernel;
    list->process = process;
    list->snapshot = NULL;
    list->limit = DOCA_PRIV_APSH_LIMIT(system, limit);
    list->budget = DOCA_CORE_APSH_LIST_READS(list->limit);
}

/* Return an attribute of the process whose list is read. */
DOCA_PRIV_DECL uint64_t doca_priv_apsh_list_value(const struct doca_priv_apsh_list *list, int attr)
{
    return (uintptr_t)doca_priv_apsh_get(list->process, DOCA_PRIV_APSH_PROCESSES, attr, NULL);
}

/* Get the task of the process. BAD_STATE: it has ended, and another task may have its memory. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_list_task(struct doca_priv_apsh_list *list,
                                                     uint64_t *task)
{
    static const uint8_t members[] = { DOCA_PRIV_APSH_TASK_PID, DOCA_PRIV_APSH_TASK_SIGNAL,
                                       DOCA_PRIV_APSH_TASK_MM };
    const uint64_t wanted = doca_priv_apsh_list_value(list, DOCA_APSH_PROCESS_PID);
    uint32_t pid = 0, tgid = 0;
    doca_error_t rc;

    *task = ((const struct doca_priv_apsh_element *)(const void *)list->process)->at;
    doca_priv_apsh_fetch(list->kernel, *task, members, sizeof(members));
    rc = doca_priv_apsh_get_32(list->kernel, *task, DOCA_PRIV_APSH_TASK_PID, &pid);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_32(list->kernel, *task, DOCA_PRIV_APSH_TASK_TGID, &tgid);
    return rc == DOCA_SUCCESS && (pid != wanted || tgid != wanted) ? DOCA_ERROR_BAD_STATE : rc;
}

/* Copy a string, cut to the limit of the system, to the snapshot. Returns it as the value of an
 * attribute. */
DOCA_PRIV_DECL uint64_t doca_priv_apsh_list_text(const struct doca_priv_apsh_list *list,
                                                 const char *text)
{
    const size_t room = DOCA_PRIV_APSH_LIMIT(list->system, DOCA_APSH_STRING_LIMIT) - 1u;
    const size_t len = strlen(text);

    return (uintptr_t)doca_priv_apsh_text(list->snapshot, text, len < room ? len : room);
}

/* Copy the name of the process to the snapshot. Returns it as the value of an attribute. */
DOCA_PRIV_DECL uint64_t doca_priv_apsh_list_name(const struct doca_priv_apsh_list *list)
{
    return doca_priv_apsh_list_text(
        list,
        (const char *)(uintptr_t)doca_priv_apsh_list_value(list, DOCA_APSH_PROCESS_COMM));
}

/* Report why a list could not be read. Returns the error of the call. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_list_fail(const struct doca_priv_apsh_list *list,
                                                     doca_error_t rc, const char *function)
{
    if (rc == DOCA_ERROR_NOT_FOUND)
        return DOCA_PRIV_APSH_FAIL(INITIALIZATION, APSH_TORN, function);
    if (rc == DOCA_ERROR_BAD_STATE)
        return DOCA_PRIV_APSH_FAIL(INITIALIZATION, APSH_ENDED, function);
    if (rc == DOCA_ERROR_IO_FAILED)
        return list->kernel->mem.budget == 0
                   ? DOCA_PRIV_APSH_FAIL(INITIALIZATION, APSH_BUDGET, function)
                   : DOCA_PRIV_APSH_FAIL(IO_FAILED, APSH_READ, function);
    return rc;
}

/* Read a list. When it changed or is damaged, read it again, up to DOCA_CORE_APSH_TRIES times. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_list_read(
    struct doca_priv_apsh_list *list, doca_error_t (*read)(struct doca_priv_apsh_list *list),
    const char *function)
{
    doca_error_t rc = DOCA_ERROR_NOT_FOUND;
    unsigned i;

    for (i = 0; i < DOCA_CORE_APSH_TRIES && rc == DOCA_ERROR_NOT_FOUND; i++) {
        doca_priv_apsh_mem_begin(&list->kernel->mem, list->budget);
        rc = read(list);
        if (rc != DOCA_SUCCESS && list->snapshot != NULL) {
            doca_priv_apsh_snapshot_end(list->snapshot);
            list->snapshot = NULL;
        }
    }
    return doca_priv_apsh_list_fail(list, rc, function);
}

/* part: src/compat/apsh/shape.c */
/* ---- >>impl.apsh.shape -----------------------------------------------------------------------
 * Structures of the kernel. Several members of a structure are read at once.                    */

/* Make the shape of a structure from at most DOCA_PRIV_APSH_PARTS parts. */
DOCA_PRIV_DECL void doca_priv_apsh_shape_make(const struct doca_priv_apsh_kernel *kernel,
                                              const struct doca_priv_apsh_part *parts, uint32_t num,
                                              struct doca_priv_apsh_shape *shape)
{
    uint64_t first = UINT64_MAX, end = 0, offset;
    uint32_t i;

    memset(shape, 0, sizeof(*shape));
    shape->num = num;
    for (i = 0; i < num; i++) {
        if (kernel->offsets[parts[i].member] < 0)
            continue;
        offset = (uint64_t)kernel->offsets[parts[i].member] + parts[i].inside;
        first = offset < first ? offset : first;
        end = offset + 8 > end ? offset + 8 : end;
        shape->masks[i] = parts[i].bytes == 4 ? UINT32_MAX : UINT64_MAX;
    }
    if (end == 0)
        return;
    shape->first = first;
    shape->bytes = (uint32_t)(end - first);
    for (i = 0; i < num; i++)
        if (shape->masks[i] != 0)
            shape->places[i] = (uint32_t)((uint64_t)kernel->offsets[parts[i].member] +
                                          parts[i].inside - first);
}

/* Read all blocks with parts of a structure to the cache, in one batch. */
static void doca_priv_apsh_shape_fetch(struct doca_priv_apsh_kernel *kernel,
                                       const struct doca_priv_apsh_shape *shape, uint64_t object)
{
    uint64_t addrs[DOCA_PRIV_APSH_PARTS];
    uint32_t num = 0, i;

    for (i = 0; i < shape->num; i++)
        if (shape->masks[i] != 0)
            doca_priv_apsh_batch(kernel, object + shape->first + shape->places[i], addrs, &num);
    doca_priv_apsh_mem_fetch(&kernel->mem, addrs, num);
}

/* Read all blocks with parts of a structure in the direct map to the cache, in one batch. If a task
 * can read as many bytes as all parts span, only two blocks matter: the block with the first part
 * and the block with the last part. `physical`: address of the first part. */
static void doca_priv_apsh_shape_fetch_near(struct doca_priv_apsh_kernel *kernel,
                                            const struct doca_priv_apsh_shape *shape,
                                            uint64_t physical)
{
    const uint64_t addrs[2] = { physical, physical + shape->bytes - 8 };

    if (shape->bytes <= kernel->mem.unit)
        doca_priv_apsh_mem_fetch(&kernel->mem, addrs, 2);
    else
        doca_priv_apsh_shape_fetch(kernel, shape, physical + kernel->direct - shape->first);
}

/* Read a part through the cache. */
static doca_error_t doca_priv_apsh_pick_one(struct doca_priv_apsh_kernel *kernel,
                                            const struct doca_priv_apsh_shape *shape,
                                            uint64_t object, uint32_t part, uint64_t *value)
{
    unsigned char bytes[8] = { 0 };
    doca_error_t rc = DOCA_SUCCESS;

    if (shape->masks[part] != 0)
        rc = doca_priv_apsh_read(kernel, object + shape->first + shape->places[part], bytes,
                                 shape->masks[part] == UINT32_MAX ? 4 : 8);
    *value = doca_priv_apsh_u64(bytes);
    return rc;
}

/* Read parts of a structure in the direct map that no single slot contains. */
static doca_error_t doca_priv_apsh_pick_near(struct doca_priv_apsh_kernel *kernel,
                                             const struct doca_priv_apsh_shape *shape,
                                             uint64_t physical, struct doca_priv_apsh_span span,
                                             uint64_t *values)
{
    const struct doca_priv_apsh_slot *slot = doca_priv_apsh_mem_present(&kernel->mem, physical);
    doca_error_t rc = DOCA_SUCCESS;
    uint64_t at;
    uint32_t i;

    if (slot->bytes == 0 ||
        doca_priv_apsh_mem_present(&kernel->mem, physical + shape->bytes - 8)->bytes == 0) {
        doca_priv_apsh_shape_fetch_near(kernel, shape, physical);
        slot = doca_priv_apsh_mem_present(&kernel->mem, physical);
    }
    for (i = span.from; i < span.to && rc == DOCA_SUCCESS; i++) {
        at = physical + shape->places[i];
        if (!doca_priv_apsh_slot_has(slot, at, 8))
            slot = doca_priv_apsh_mem_present(&kernel->mem, at);
        if (doca_priv_apsh_slot_has(slot, at, 8) && doca_priv_apsh_mem_spend(&kernel->mem, 1)) {
            values[i] = doca_priv_apsh_load(slot->from + (at - slot->addr)) & shape->masks[i];
            continue;
        }
        rc = doca_priv_apsh_pick_one(kernel, shape, at + kernel->direct - shape->places[i] -
                                                        shape->first, i, &values[i]);
        slot = doca_priv_apsh_mem_present(&kernel->mem, physical); /* pick_one may have replaced the
                                                                    * slot */
    }
    DOCA_PRIV_APSH_LOADED(values);
    return rc;
}

/* Read parts of a structure that is not in the direct map, or that crosses the end of the target's
 * memory. */
static doca_error_t doca_priv_apsh_pick_each(struct doca_priv_apsh_kernel *kernel,
                                             const struct doca_priv_apsh_shape *shape,
                                             uint64_t object, struct doca_priv_apsh_span span,
                                             uint64_t *values)
{
    doca_error_t rc = DOCA_SUCCESS;
    uint32_t i;

    doca_priv_apsh_shape_fetch(kernel, shape, object);
    for (i = span.from; i < span.to && rc == DOCA_SUCCESS; i++)
        rc = doca_priv_apsh_pick_one(kernel, shape, object, i, &values[i]);
    return rc;
}

/* Read parts of a structure that the slot of the latest access does not contain. */
DOCA_PRIV_DECL DOCA_PRIV_APSH_APART doca_error_t doca_priv_apsh_pick_other(
    struct doca_priv_apsh_kernel *kernel, const struct doca_priv_apsh_shape *shape, uint64_t object,
    struct doca_priv_apsh_span span, uint64_t *values)
{
    const uint64_t physical = object + shape->first - kernel->direct;
    const unsigned char *at;

    if (!doca_priv_apsh_may_be_direct(kernel, object + shape->first))
        return doca_priv_apsh_pick_each(kernel, shape, object, span, values);
    at = doca_priv_apsh_mem_window(&kernel->mem, physical, shape->bytes);
    if (at == NULL || !doca_priv_apsh_mem_spend(&kernel->mem, span.to - span.from))
        return doca_priv_apsh_pick_near(kernel, shape, physical, span, values);
    doca_priv_apsh_load_parts(shape, at, span, values);
    return DOCA_SUCCESS;
}

/* part: src/compat/apsh/thread.c */
/* ---- >>impl.apsh.thread ----------------------------------------------------------------------
 * The threads of a process: a ring of tasks. Its head is in the structure signal_struct, and all
 * threads of the process point to this structure. The CPU time of a process is the sum of the times
 * of these tasks and of the time that the structure keeps for threads that have ended.          */

DOCA_PRIV_APSH_ASSERT(thread_has_its_size, sizeof(void *) + sizeof(struct doca_priv_apsh_element) +
                                                   5 * sizeof(uintptr_t) + 17 ==
                                               DOCA_PRIV_APSH_THREAD_BYTES)
DOCA_PRIV_APSH_ASSERT(comm_has_its_size, DOCA_PRIV_APSH_COMM + 1 == DOCA_PRIV_APSH_COMM_BYTES)

/* Make the ring of the threads that share the signal_struct at `signal`. */
static void doca_priv_apsh_thread_ring(const struct doca_priv_apsh_kernel *kernel, uint64_t signal,
                                       struct doca_priv_apsh_ring *ring)
{
    static const uint8_t members[] = { DOCA_PRIV_APSH_TASK_THREADS, DOCA_PRIV_APSH_TASK_PID,
                                       DOCA_PRIV_APSH_TASK_COMM,    DOCA_PRIV_APSH_TASK_STATE,
                                       DOCA_PRIV_APSH_TASK_SIGNAL,  DOCA_PRIV_APSH_TASK_UTIME,
                                       DOCA_PRIV_APSH_TASK_RUNTIME };

    ring->head = doca_priv_apsh_in(kernel, signal, DOCA_PRIV_APSH_SIGNAL_THREADS);
    ring->link = DOCA_PRIV_APSH_TASK_THREADS;
    ring->members = members;
    ring->num_members = sizeof(members);
}

/* Move *task to the next thread. NOT_FOUND: the task belongs to another process. After the last
 * thread *task is 0. */
static doca_error_t doca_priv_apsh_next_thread(struct doca_priv_apsh_kernel *kernel,
                                               uint64_t signal,
                                               const struct doca_priv_apsh_ring *ring,
                                               uint64_t *task)
{
    uint64_t owner = 0;
    doca_error_t rc = doca_priv_apsh_ring_next(kernel, ring, task);

    if (rc != DOCA_SUCCESS || *task == 0)
        return rc;
    rc = doca_priv_apsh_get_64(kernel, *task, DOCA_PRIV_APSH_TASK_SIGNAL, &owner);
    return rc == DOCA_SUCCESS && owner != signal ? DOCA_ERROR_NOT_FOUND : rc;
}

/* Parts of a signal_struct, by their numbers in its shape. */
enum doca_priv_apsh_signal_part {
    DOCA_PRIV_APSH_SIGNAL_NEXT, /* links of the ring of threads */
    DOCA_PRIV_APSH_SIGNAL_PREV,
    DOCA_PRIV_APSH_SIGNAL_TIMES, /* run time, user time, system time */
    DOCA_PRIV_APSH_SIGNAL_PARTS = DOCA_PRIV_APSH_SIGNAL_TIMES + 3
};

/* Select the times that a shape reads: the run time that the scheduler counts or, if the kernel has
 * no run time, the user and system time that the clock ticks count. `times`: index of the first of
 * the three parts. */
static void doca_priv_apsh_choose_times(struct doca_priv_apsh_shape *shape, uint32_t times,
                                        bool has_runtime)
{
    if (has_runtime)
        shape->masks[times + 1] = shape->masks[times + 2] = 0;
    else
        shape->masks[times] = 0;
}

/* Make the shapes with which the list of processes computes CPU times. */
DOCA_PRIV_DECL void doca_priv_apsh_task_shapes_make(const struct doca_priv_apsh_kernel *kernel,
                                                    struct doca_priv_apsh_task_shapes *shapes)
{
    static const struct doca_priv_apsh_part task[] = {
        { DOCA_PRIV_APSH_TASK_TASKS, 0, 8 },   { DOCA_PRIV_APSH_TASK_TASKS, 8, 8 },
        { DOCA_PRIV_APSH_TASK_THREADS, 0, 8 }, { DOCA_PRIV_APSH_TASK_THREADS, 8, 8 },
        { DOCA_PRIV_APSH_TASK_SIGNAL, 0, 8 },  { DOCA_PRIV_APSH_TASK_RUNTIME, 0, 8 },
        { DOCA_PRIV_APSH_TASK_UTIME, 0, 8 },   { DOCA_PRIV_APSH_TASK_STIME, 0, 8 },
        { DOCA_PRIV_APSH_TASK_PID, 0, 4 },     { DOCA_PRIV_APSH_TASK_STATE, 0, 4 },
        { DOCA_PRIV_APSH_TASK_PARENT, 0, 8 },  { DOCA_PRIV_APSH_TASK_CRED, 0, 8 },
        { DOCA_PRIV_APSH_TASK_COMM, 0, 8 },    { DOCA_PRIV_APSH_TASK_COMM, 8, 8 },
    };
    static const struct doca_priv_apsh_part signal[] = {
        { DOCA_PRIV_APSH_SIGNAL_THREADS, 0, 8 }, { DOCA_PRIV_APSH_SIGNAL_THREADS, 8, 8 },
        { DOCA_PRIV_APSH_SIGNAL_RUNTIME, 0, 8 }, { DOCA_PRIV_APSH_SIGNAL_UTIME, 0, 8 },
        { DOCA_PRIV_APSH_SIGNAL_STIME, 0, 8 },
    };
    const bool has_runtime = doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_TASK_RUNTIME) &&
                             doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_SIGNAL_RUNTIME);

    doca_priv_apsh_shape_make(kernel, task, DOCA_PRIV_APSH_TASK_PARTS, &shapes->task);
    doca_priv_apsh_shape_make(kernel, signal, DOCA_PRIV_APSH_SIGNAL_PARTS, &shapes->signal);
    shapes->times.from = has_runtime ? 0 : 1;
    shapes->times.to = has_runtime ? 1 : 3;
    doca_priv_apsh_choose_times(&shapes->task, DOCA_PRIV_APSH_PART_TIMES, has_runtime);
    doca_priv_apsh_choose_times(&shapes->signal, DOCA_PRIV_APSH_SIGNAL_TIMES, has_runtime);
}

/* Add the times of a thread, or of threads that have ended, to *time. A sum that overflows stays at
 * the maximum. */
static void doca_priv_apsh_add_times(struct doca_priv_apsh_span span, const uint64_t *times,
                                     uint64_t *time)
{
    uint64_t sum = *time;
    uint32_t i;

    for (i = span.from; i < span.to; i++)
        sum = times[i] < UINT64_MAX - sum ? sum + times[i] : UINT64_MAX;
    *time = sum;
}

/* Add the times of at most `limit` threads of a process to *time. `signal`: the parts of the
 * signal_struct of `task`. */
static doca_error_t doca_priv_apsh_add_threads(struct doca_priv_apsh_kernel *kernel,
                                               const struct doca_priv_apsh_task_shapes *shapes,
                                               const struct doca_priv_apsh_task *task,
                                               const uint64_t *signal, uint32_t limit,
                                               uint64_t *time)
{
    static const struct doca_priv_apsh_span span = { DOCA_PRIV_APSH_PART_THREAD_NEXT,
                                                     DOCA_PRIV_APSH_PART_PID };
    const uint64_t owner = task->values[DOCA_PRIV_APSH_PART_SIGNAL];
    const uint64_t head = doca_priv_apsh_in(kernel, owner, DOCA_PRIV_APSH_SIGNAL_THREADS);
    uint64_t values[DOCA_PRIV_APSH_TASK_PARTS], link = head, at;
    uint64_t next = signal[DOCA_PRIV_APSH_SIGNAL_NEXT];
    doca_error_t rc = DOCA_SUCCESS;
    const uint64_t *thread;
    uint32_t i;

    for (i = 0; i < limit && next != head; i++) {
        at = next - (uint64_t)(int64_t)kernel->offsets[DOCA_PRIV_APSH_TASK_THREADS];
        thread = at == task->at ? task->values : values;
        if (thread == values)
            rc = doca_priv_apsh_pick(kernel, &shapes->task, at, span, values);
        if (rc != DOCA_SUCCESS)
            return rc;
        if (thread[DOCA_PRIV_APSH_PART_THREAD_PREV] != link ||
            thread[DOCA_PRIV_APSH_PART_SIGNAL] != owner)
            return DOCA_ERROR_NOT_FOUND;
        doca_priv_apsh_add_times(shapes->times, thread + DOCA_PRIV_APSH_PART_TIMES, time);
        link = next;
        next = thread[DOCA_PRIV_APSH_PART_THREAD_NEXT];
    }
    return next == head && signal[DOCA_PRIV_APSH_SIGNAL_PREV] != link ? DOCA_ERROR_NOT_FOUND
                                                                      : DOCA_SUCCESS;
}

/* Sum up the CPU time of a process, in nanoseconds. This is one attempt. */
static doca_error_t doca_priv_apsh_sum_time(struct doca_priv_apsh_kernel *kernel,
                                            const struct doca_priv_apsh_task_shapes *shapes,
                                            const struct doca_priv_apsh_task *task, uint32_t limit,
                                            uint64_t *time)
{
    static const struct doca_priv_apsh_span all = { 0, DOCA_PRIV_APSH_SIGNAL_PARTS };
    uint64_t signal[DOCA_PRIV_APSH_SIGNAL_PARTS];
    doca_error_t rc = doca_priv_apsh_pick(
        kernel, &shapes->signal, task->values[DOCA_PRIV_APSH_PART_SIGNAL], all, signal);

    *time = 0;
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_apsh_add_times(shapes->times, signal + DOCA_PRIV_APSH_SIGNAL_TIMES, time);
    if (doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_TASK_THREADS) &&
        doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_SIGNAL_THREADS))
        return doca_priv_apsh_add_threads(kernel, shapes, task, signal, limit, time);
    doca_priv_apsh_add_times(shapes->times, task->values + DOCA_PRIV_APSH_PART_TIMES, time);
    return DOCA_SUCCESS;
}

/* Sum up the CPU time of at most `limit` threads of a process, in picoseconds. Threads begin and
 * end more often than processes; therefore a ring that has changed is read again here, without the
 * cache. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_cpu_time(
    struct doca_priv_apsh_kernel *kernel, const struct doca_priv_apsh_task_shapes *shapes,
    const struct doca_priv_apsh_task *task, uint32_t limit, uint64_t *time)
{
    static const struct doca_priv_apsh_span span = { DOCA_PRIV_APSH_PART_THREAD_NEXT,
                                                     DOCA_PRIV_APSH_PART_PID };
    doca_error_t rc = doca_priv_apsh_sum_time(kernel, shapes, task, limit, time);
    struct doca_priv_apsh_task again;
    unsigned i;

    for (i = 1; i < DOCA_CORE_APSH_TRIES && rc == DOCA_ERROR_NOT_FOUND; i++) {
        doca_priv_apsh_mem_drop(&kernel->mem);
        again.at = task->at;
        rc = doca_priv_apsh_pick(kernel, &shapes->task, again.at, span, again.values);
        if (rc == DOCA_SUCCESS)
            rc = doca_priv_apsh_sum_time(kernel, shapes, &again, limit, time);
    }
    *time = *time < UINT64_MAX / 1000 ? *time * 1000 : UINT64_MAX;
    return rc;
}

/* Add a thread to the snapshot. `name`: name of its process, as the value of an attribute. */
static doca_error_t doca_priv_apsh_add_thread(struct doca_priv_apsh_list *list, uint64_t task,
                                              uint64_t name)
{
    struct doca_priv_apsh_element *element;
    char comm[DOCA_PRIV_APSH_COMM + 1];
    uint32_t tid = 0, state = 0;
    doca_error_t rc = doca_priv_apsh_get_32(list->kernel, task, DOCA_PRIV_APSH_TASK_PID, &tid);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_32(list->kernel, task, DOCA_PRIV_APSH_TASK_STATE, &state);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_comm(list->kernel, task, comm);
    if (rc != DOCA_SUCCESS)
        return rc;
    element = doca_priv_apsh_snapshot_add(list->snapshot, task);
    doca_priv_apsh_set(element, DOCA_APSH_THREAD_PID,
                       doca_priv_apsh_list_value(list, DOCA_APSH_PROCESS_PID));
    doca_priv_apsh_set(element, DOCA_APSH_THREAD_TID, tid);
    doca_priv_apsh_set(element, DOCA_APSH_THREAD_STATE, state);
    doca_priv_apsh_set(element, DOCA_APSH_THREAD_LINUX_PROC_NAME, name);
    doca_priv_apsh_set(element, DOCA_APSH_THREAD_LINUX_THREAD_NAME,
                       doca_priv_apsh_list_text(list, comm));
    return DOCA_SUCCESS;
}

/* Count and read the list once. */
static doca_error_t doca_priv_apsh_read_threads(struct doca_priv_apsh_list *list)
{
    uint64_t task = 0, signal = 0, name;
    struct doca_priv_apsh_ring ring;
    uint32_t num = 0, i;
    doca_error_t rc = doca_priv_apsh_list_task(list, &task);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_64(list->kernel, task, DOCA_PRIV_APSH_TASK_SIGNAL, &signal);
    doca_priv_apsh_thread_ring(list->kernel, signal, &ring);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_ring_count(list->kernel, &ring, list->limit, &num);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_snapshot_make(list->system, DOCA_PRIV_APSH_THREADS, num,
                                          (num + (size_t)1) * (DOCA_PRIV_APSH_COMM + 1),
                                          &list->snapshot);
    if (rc != DOCA_SUCCESS)
        return rc;
    name = doca_priv_apsh_list_name(list);
    for (task = 0, i = 0; i < num && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_next_thread(list->kernel, signal, &ring, &task);
        if (rc == DOCA_SUCCESS)
            rc = task != 0 ? doca_priv_apsh_add_thread(list, task, name) : DOCA_ERROR_NOT_FOUND;
    }
    return rc;
}

/* Read the list of the threads of a process. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_threads(const struct doca_apsh_process *process,
                                                   struct doca_priv_apsh_snapshot **snapshot,
                                                   const char *function)
{
    static const uint8_t needed[] = { DOCA_PRIV_APSH_TASK_THREADS, DOCA_PRIV_APSH_SIGNAL_THREADS };
    struct doca_priv_apsh_list list;
    doca_error_t rc;

    doca_priv_apsh_list_begin(&list, NULL, process, DOCA_APSH_THREADS_LIMIT);
    rc = doca_priv_apsh_need(list.kernel, needed, sizeof(needed), function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_list_read(&list, doca_priv_apsh_read_threads, function);
    *snapshot = list.snapshot;
    return rc;
}

/* part: src/compat/apsh/process.c */
/* ---- >>impl.apsh.process ---------------------------------------------------------------------
 * The list of processes: a ring of tasks. The ring begins with the idle task, which is not listed.
 * A first walk counts the tasks, which determines the size of the snapshot, and keeps the values of
 * the first DOCA_PRIV_APSH_KEPT tasks; a second walk reads the remaining tasks. Tasks are added in
 * groups: one batch reads the structures that all tasks of a group point to. Both walks end at the
 * limit of the system, and each task must point back to the task before it. When the ring has
 * changed or is damaged, both walks are repeated.                                               */

#define DOCA_PRIV_APSH_GROUP 16u /* tasks of a group; each points to two structures that are read */
#define DOCA_PRIV_APSH_KEPT 128u /* tasks whose parts the first walk keeps: a multiple of a group */

DOCA_PRIV_APSH_ASSERT(kept_tasks_have_room,
                      DOCA_PRIV_APSH_KEPT * sizeof(struct doca_priv_apsh_task) <=
                          DOCA_PRIV_APSH_ROOM * sizeof(uint64_t))

/* A walk over the ring of tasks, and the shapes of the structures that it reads. */
struct doca_priv_apsh_walk_tasks {
    struct doca_priv_apsh_kernel *kernel;
    struct doca_priv_apsh_task_shapes shapes;
    struct doca_priv_apsh_shape parent, cred;
    uint64_t head, link, next; /* addresses of links: ring's head, latest task, next task */
    struct doca_priv_apsh_task *kept; /* the first tasks of the ring */
    uint64_t kept_link, kept_next;    /* values of `link` and `next` after the kept tasks */
};

/* Make the shapes of a walk. */
static void doca_priv_apsh_tasks_open(struct doca_priv_apsh_kernel *kernel,
                                      struct doca_priv_apsh_walk_tasks *walk)
{
    static const struct doca_priv_apsh_part parent[] = { { DOCA_PRIV_APSH_TASK_TGID, 0, 4 } };
    static const struct doca_priv_apsh_part cred[] = { { DOCA_PRIV_APSH_CRED_UID, 0, 4 },
                                                       { DOCA_PRIV_APSH_CRED_GID, 0, 4 } };

    walk->kernel = kernel;
    walk->kept = (struct doca_priv_apsh_task *)(void *)kernel->room;
    walk->kept_link = walk->kept_next = 0;
    walk->head = doca_priv_apsh_in(kernel, kernel->symbols[DOCA_PRIV_APSH_INIT_TASK],
                                   DOCA_PRIV_APSH_TASK_TASKS);
    doca_priv_apsh_task_shapes_make(kernel, &walk->shapes);
    doca_priv_apsh_shape_make(kernel, parent, 1, &walk->parent);
    doca_priv_apsh_shape_make(kernel, cred, 2, &walk->cred);
}

/* Begin a walk at the head of the ring. */
static doca_error_t doca_priv_apsh_tasks_begin(struct doca_priv_apsh_walk_tasks *walk)
{
    walk->link = walk->head;
    return doca_priv_apsh_read_64(walk->kernel, walk->head, &walk->next);
}

/* Read the first `num` parts of the next task of the ring. NOT_FOUND: the task does not point
 * back. */
static doca_error_t doca_priv_apsh_tasks_next(struct doca_priv_apsh_walk_tasks *walk, uint32_t num,
                                              struct doca_priv_apsh_task *task)
{
    const struct doca_priv_apsh_span span = { 0, num };
    doca_error_t rc;

    task->at = walk->next -
               (uint64_t)(int64_t)walk->kernel->offsets[DOCA_PRIV_APSH_TASK_TASKS];
    rc = doca_priv_apsh_pick(walk->kernel, &walk->shapes.task, task->at, span, task->values);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (task->values[DOCA_PRIV_APSH_PART_PREV] != walk->link)
        return DOCA_ERROR_NOT_FOUND;
    walk->link = walk->next;
    walk->next = task->values[DOCA_PRIV_APSH_PART_NEXT];
    return DOCA_SUCCESS;
}

/* Check that the ring ends here: its head points back to the latest task. */
static doca_error_t doca_priv_apsh_tasks_end(struct doca_priv_apsh_walk_tasks *walk)
{
    uint64_t back = 0;
    doca_error_t rc = doca_priv_apsh_read_64(walk->kernel, walk->head + 8, &back);

    return rc == DOCA_SUCCESS && (walk->next != walk->head || back != walk->link)
               ? DOCA_ERROR_NOT_FOUND
               : rc;
}

/* Count the tasks of the ring, up to the limit, and keep the first tasks. */
static doca_error_t doca_priv_apsh_tasks_count(struct doca_priv_apsh_walk_tasks *walk,
                                               uint32_t limit, uint32_t *num)
{
    struct doca_priv_apsh_task task;
    doca_error_t rc = doca_priv_apsh_tasks_begin(walk);

    for (*num = 0; rc == DOCA_SUCCESS && *num < limit; ++*num) {
        if (walk->next == walk->head)
            return doca_priv_apsh_tasks_end(walk);
        if (*num == DOCA_PRIV_APSH_KEPT) {
            walk->kept_link = walk->link;
            walk->kept_next = walk->next;
        }
        rc = *num < DOCA_PRIV_APSH_KEPT
                 ? doca_priv_apsh_tasks_next(walk, DOCA_PRIV_APSH_TASK_PARTS, &walk->kept[*num])
                 : doca_priv_apsh_tasks_next(walk, DOCA_PRIV_APSH_PART_PREV + 1, &task);
    }
    return rc;
}

/* Read the user and group of a task. */
static doca_error_t doca_priv_apsh_read_cred(struct doca_priv_apsh_walk_tasks *walk,
                                             const struct doca_priv_apsh_task *task,
                                             uint64_t ids[2])
{
    static const struct doca_priv_apsh_span span = { 0, 2 };

    return doca_priv_apsh_pick(walk->kernel, &walk->cred, task->values[DOCA_PRIV_APSH_PART_CRED],
                               span, ids);
}

/* Store an 8-byte number in the byte order of the target. */
static void doca_priv_apsh_store(char *to, uint64_t value)
{
    to[0] = (char)(value & 0xff);
    to[1] = (char)(value >> 8 & 0xff);
    to[2] = (char)(value >> 16 & 0xff);
    to[3] = (char)(value >> 24 & 0xff);
    to[4] = (char)(value >> 32 & 0xff);
    to[5] = (char)(value >> 40 & 0xff);
    to[6] = (char)(value >> 48 & 0xff);
    to[7] = (char)(value >> 56 & 0xff);
}

/* Copy the name of a task to the snapshot, and cut it to the limit of the system. Returns the
 * address of the copy, in the form in which the snapshot holds the values of attributes. */
static uint64_t doca_priv_apsh_add_comm(const struct doca_priv_apsh_list *list,
                                        const struct doca_priv_apsh_task *task)
{
    const uint32_t room = DOCA_PRIV_APSH_LIMIT(list->system, DOCA_APSH_STRING_LIMIT) - 1u;
    char *comm = doca_priv_apsh_text_room(list->snapshot, DOCA_PRIV_APSH_COMM);

    if (comm == NULL)
        return 0;
    doca_priv_apsh_store(comm, task->values[DOCA_PRIV_APSH_PART_COMM]);
    doca_priv_apsh_store(comm + 8, task->values[DOCA_PRIV_APSH_PART_COMM + 1]);
    if (room < DOCA_PRIV_APSH_COMM)
        comm[room] = '\0';
    return (uintptr_t)comm;
}

/* Read the structures that a task points to, and add the task to the snapshot. */
static doca_error_t doca_priv_apsh_add_task(struct doca_priv_apsh_list *list,
                                            struct doca_priv_apsh_walk_tasks *walk,
                                            const struct doca_priv_apsh_task *task)
{
    static const struct doca_priv_apsh_span one = { 0, 1 };
    const uint32_t limit = DOCA_PRIV_APSH_LIMIT(list->system, DOCA_APSH_THREADS_LIMIT);
    uint64_t parent_pid = 0, ids[2] = { 0, 0 }, time = 0;
    doca_error_t rc = doca_priv_apsh_pick(walk->kernel, &walk->parent,
                                          task->values[DOCA_PRIV_APSH_PART_PARENT], one,
                                          &parent_pid);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_read_cred(walk, task, ids);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_cpu_time(walk->kernel, &walk->shapes, task, limit, &time);
    if (rc == DOCA_SUCCESS) {
        /* in the order of the attributes of a process */
        const uint64_t values[] = { task->values[DOCA_PRIV_APSH_PART_PID],
                                    parent_pid,
                                    doca_priv_apsh_add_comm(list, task),
                                    time,
                                    ids[1],
                                    ids[0],
                                    task->values[DOCA_PRIV_APSH_PART_STATE] };

        doca_priv_apsh_snapshot_add_all(list->snapshot, task->at, values);
    }
    return rc;
}

/* Read the next `num` tasks of the ring. */
static doca_error_t doca_priv_apsh_next_tasks(struct doca_priv_apsh_walk_tasks *walk,
                                              struct doca_priv_apsh_task *tasks, uint32_t num)
{
    doca_error_t rc = DOCA_SUCCESS;
    uint32_t i;

    for (i = 0; i < num && rc == DOCA_SUCCESS; i++)
        rc = walk->next != walk->head
                 ? doca_priv_apsh_tasks_next(walk, DOCA_PRIV_APSH_TASK_PARTS, &tasks[i])
                 : DOCA_ERROR_NOT_FOUND;
    return rc;
}

/* Read the users and the signal_structs of a group of tasks to the cache, in one batch. */
static void doca_priv_apsh_fetch_group(const struct doca_priv_apsh_walk_tasks *walk,
                                       const struct doca_priv_apsh_task *tasks, uint32_t num)
{
    uint64_t addrs[2 * DOCA_PRIV_APSH_GROUP];
    uint32_t num_addrs = 0, i;

    for (i = 0; i < num; i++) {
        doca_priv_apsh_batch(walk->kernel,
                             tasks[i].values[DOCA_PRIV_APSH_PART_CRED] + walk->cred.first, addrs,
                             &num_addrs);
        doca_priv_apsh_batch(
            walk->kernel,
            tasks[i].values[DOCA_PRIV_APSH_PART_SIGNAL] + walk->shapes.signal.first, addrs,
            &num_addrs);
    }
    doca_priv_apsh_mem_fetch(&walk->kernel->mem, addrs, num_addrs);
}

/* Add `num` tasks to the snapshot: first the tasks that the first walk kept, then the tasks after
 * them. */
static doca_error_t doca_priv_apsh_add_tasks(struct doca_priv_apsh_list *list,
                                             struct doca_priv_apsh_walk_tasks *walk, uint32_t num)
{
    struct doca_priv_apsh_task *tasks;
    doca_error_t rc = DOCA_SUCCESS;
    uint32_t n, i, k;

    if (num > DOCA_PRIV_APSH_KEPT) {
        walk->link = walk->kept_link;
        walk->next = walk->kept_next;
    }
    for (i = 0; i < num && rc == DOCA_SUCCESS; i += n) {
        n = num - i < DOCA_PRIV_APSH_GROUP ? num - i : DOCA_PRIV_APSH_GROUP;
        tasks = walk->kept + (i < DOCA_PRIV_APSH_KEPT ? i : 0);
        if (i >= DOCA_PRIV_APSH_KEPT)
            rc = doca_priv_apsh_next_tasks(walk, tasks, n);
        if (rc == DOCA_SUCCESS)
            doca_priv_apsh_fetch_group(walk, tasks, n);
        for (k = 0; k < n && rc == DOCA_SUCCESS; k++)
            rc = doca_priv_apsh_add_task(list, walk, &tasks[k]);
    }
    return rc;
}

/* Count and read the list once. */
static doca_error_t doca_priv_apsh_read_tasks(struct doca_priv_apsh_list *list)
{
    struct doca_priv_apsh_walk_tasks walk;
    uint32_t num = 0;
    doca_error_t rc;

    doca_priv_apsh_tasks_open(list->kernel, &walk);
    rc = doca_priv_apsh_tasks_count(&walk, list->limit, &num);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_snapshot_make(list->system, DOCA_PRIV_APSH_PROCESSES, num,
                                          num * (size_t)(DOCA_PRIV_APSH_COMM + 1),
                                          &list->snapshot);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_add_tasks(list, &walk, num);
    /* the second walk read a longer ring again, and the ring may have grown meanwhile */
    return rc == DOCA_SUCCESS && num > DOCA_PRIV_APSH_KEPT && num < list->limit
               ? doca_priv_apsh_tasks_end(&walk)
               : rc;
}

/* Read the list of processes. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_processes(struct doca_apsh_system *system,
                                                     struct doca_priv_apsh_snapshot **snapshot,
                                                     const char *function)
{
    struct doca_priv_apsh_list list;
    doca_error_t rc;

    doca_priv_apsh_list_begin(&list, system, NULL, DOCA_APSH_PROCESS_LIMIT);
    list.budget = DOCA_CORE_APSH_LIST_READS(
        (uint64_t)list.limit + DOCA_PRIV_APSH_LIMIT(system, DOCA_APSH_THREADS_LIMIT));
    rc = doca_priv_apsh_list_read(&list, doca_priv_apsh_read_tasks, function);
    *snapshot = list.snapshot;
    return rc;
}

/* part: src/compat/apsh/module.c */
/* ---- >>impl.apsh.module ----------------------------------------------------------------------
 * The list of modules: the ring at the symbol `modules`. From Linux 6.4 on, a module has an array
 * with the sizes of its parts. Before 6.4, it has two sizes: of the memory that it keeps, and of
 * the memory that only its initialization needs.                                                */

#define DOCA_PRIV_APSH_MODULE_NAME 56u  /* bytes of the name of a module */
#define DOCA_PRIV_APSH_MODULE_PARTS 64 /* maximum number of parts of a module */

DOCA_PRIV_APSH_ASSERT(module_has_its_size,
                      sizeof(void *) + sizeof(struct doca_priv_apsh_element) +
                              3 * sizeof(uintptr_t) + DOCA_PRIV_APSH_MODULE_NAME + 1 ==
                          DOCA_PRIV_APSH_MODULE_BYTES)

/* True when modules have an array of parts. */
static bool doca_priv_apsh_has_parts(const struct doca_priv_apsh_kernel *kernel)
{
    return doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_MODULE_MEM) &&
           doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_MODULE_MEM_NUM) &&
           doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_MODULE_MEM_SIZE) &&
           doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_MODULE_MEM_BYTES) &&
           kernel->offsets[DOCA_PRIV_APSH_MODULE_MEM_NUM] <= DOCA_PRIV_APSH_MODULE_PARTS;
}

/* Sum up the sizes of the parts of a module. */
static doca_error_t doca_priv_apsh_module_size(struct doca_priv_apsh_kernel *kernel,
                                               uint64_t module, uint64_t *size)
{
    const uint64_t step = (uint64_t)kernel->offsets[DOCA_PRIV_APSH_MODULE_MEM_BYTES];
    uint64_t part = doca_priv_apsh_in(kernel, module, DOCA_PRIV_APSH_MODULE_MEM);
    uint32_t bytes = 0;
    doca_error_t rc = DOCA_SUCCESS;
    int32_t i;

    *size = 0;
    if (!doca_priv_apsh_has_parts(kernel)) {
        rc = doca_priv_apsh_get_32(kernel, module, DOCA_PRIV_APSH_MODULE_CORE, &bytes);
        *size = bytes;
        if (rc == DOCA_SUCCESS && doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_MODULE_INIT))
            rc = doca_priv_apsh_get_32(kernel, module, DOCA_PRIV_APSH_MODULE_INIT, &bytes);
        else
            bytes = 0;
        *size += bytes;
        return rc;
    }
    for (i = 0; i < kernel->offsets[DOCA_PRIV_APSH_MODULE_MEM_NUM] && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_get_32(kernel, part, DOCA_PRIV_APSH_MODULE_MEM_SIZE, &bytes);
        *size += bytes;
        part += step;
    }
    return rc;
}

/* Add a module to the snapshot. */
static doca_error_t doca_priv_apsh_add_module(struct doca_priv_apsh_list *list, uint64_t module)
{
    struct doca_priv_apsh_element *element;
    char name[DOCA_PRIV_APSH_MODULE_NAME + 1];
    uint64_t size = 0;
    doca_error_t rc = doca_priv_apsh_module_size(list->kernel, module, &size);

    memset(name, 0, sizeof(name));
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_read(list->kernel,
                                 doca_priv_apsh_in(list->kernel, module,
                                                   DOCA_PRIV_APSH_MODULE_NAME_AT),
                                 name, DOCA_PRIV_APSH_MODULE_NAME);
    if (rc != DOCA_SUCCESS)
        return rc;
    element = doca_priv_apsh_snapshot_add(list->snapshot, module);
    doca_priv_apsh_set(element, DOCA_APSH_MODULES_OFFSET, module);
    doca_priv_apsh_set(element, DOCA_APSH_MODULES_NAME, doca_priv_apsh_list_text(list, name));
    doca_priv_apsh_set(element, DOCA_APSH_MODULES_SIZE, size < UINT32_MAX ? size : UINT32_MAX);
    return DOCA_SUCCESS;
}

/* Read the list once: count the modules, and then read them. */
static doca_error_t doca_priv_apsh_read_modules(struct doca_priv_apsh_list *list)
{
    static const uint8_t members[] = { DOCA_PRIV_APSH_MODULE_LIST, DOCA_PRIV_APSH_MODULE_NAME_AT,
                                       DOCA_PRIV_APSH_MODULE_CORE, DOCA_PRIV_APSH_MODULE_MEM };
    struct doca_priv_apsh_ring ring;
    uint64_t module = 0;
    uint32_t num = 0, i;
    doca_error_t rc;

    ring.head = list->kernel->symbols[DOCA_PRIV_APSH_MODULE_RING];
    ring.link = DOCA_PRIV_APSH_MODULE_LIST;
    ring.members = members;
    ring.num_members = sizeof(members);
    rc = doca_priv_apsh_ring_count(list->kernel, &ring, list->limit, &num);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_snapshot_make(list->system, DOCA_PRIV_APSH_MODULES, num,
                                          num * (size_t)(DOCA_PRIV_APSH_MODULE_NAME + 1),
                                          &list->snapshot);
    for (i = 0; i < num && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_ring_next(list->kernel, &ring, &module);
        if (rc == DOCA_SUCCESS)
            rc = module != 0 ? doca_priv_apsh_add_module(list, module) : DOCA_ERROR_NOT_FOUND;
    }
    return rc;
}

/* Read the list of modules. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_modules(struct doca_apsh_system *system,
                                                   struct doca_priv_apsh_snapshot **snapshot,
                                                   const char *function)
{
    static const uint8_t needed[] = { DOCA_PRIV_APSH_MODULE_LIST, DOCA_PRIV_APSH_MODULE_NAME_AT };
    static const uint8_t size[] = { DOCA_PRIV_APSH_MODULE_CORE };
    struct doca_priv_apsh_list list;
    doca_error_t rc;

    doca_priv_apsh_list_begin(&list, system, NULL, DOCA_APSH_MODULES_LIMIT);
    if (list.kernel->symbols[DOCA_PRIV_APSH_MODULE_RING] == 0)
        return doca_priv_apsh_lacks("the symbol modules", function);
    rc = doca_priv_apsh_need(list.kernel, needed, sizeof(needed), function);
    if (rc == DOCA_SUCCESS && !doca_priv_apsh_has_parts(list.kernel))
        rc = doca_priv_apsh_need(list.kernel, size, sizeof(size), function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_list_read(&list, doca_priv_apsh_read_modules, function);
    *snapshot = list.snapshot;
    return rc;
}

/* part: src/compat/apsh/area.c */
/* ---- >>impl.apsh.area ------------------------------------------------------------------------
 * The memory areas of a process. From Linux 6.1 on, the kernel keeps them in a maple tree. A node
 * of the tree has slots; the pivot between two slots is the last address of the lower slot. A slot
 * of a leaf points to an area or is empty; a slot of any other node points to a node. Each node
 * contains the address of its parent and the number of its slot in the parent. Both are checked, so
 * no node is reached twice. The range that an area contains must equal the range of its slot.
 * Before 6.1, the kernel keeps the areas in a list; each area must point back to the area before it
 * and begin at or after that area's end.                                                        */

#define DOCA_PRIV_APSH_NODE_MASK 0xffu /* bits of a pointer to a node that are not part of the
                                        * address */
#define DOCA_PRIV_APSH_ROOT_ENTRY 2u   /* set in the pointer to the root of a tree */
#define DOCA_PRIV_APSH_ROOT_PARENT 1u  /* set in the root's pointer back to the tree */

/* Types of nodes: bits 3 to 6 of a pointer to a node. */
enum { DOCA_PRIV_APSH_LEAF_64 = 1, DOCA_PRIV_APSH_RANGE_64, DOCA_PRIV_APSH_ARANGE_64 };

/* Check that the number of slots is one that nodes can have. */
static bool doca_priv_apsh_has_slots(const struct doca_priv_apsh_kernel *kernel,
                                     enum doca_priv_apsh_member member)
{
    return kernel->offsets[member] >= 2 && kernel->offsets[member] <= DOCA_PRIV_APSH_NODE_SLOTS;
}

/* Check that the kernel has the members that areas need. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_areas_need(const struct doca_priv_apsh_kernel *kernel,
                                                      const char *function)
{
    static const uint8_t areas[] = { DOCA_PRIV_APSH_TASK_MM, DOCA_PRIV_APSH_AREA_START,
                                     DOCA_PRIV_APSH_AREA_END, DOCA_PRIV_APSH_AREA_FLAGS,
                                     DOCA_PRIV_APSH_AREA_MM, DOCA_PRIV_APSH_AREA_FILE };
    static const uint8_t tree[] = { DOCA_PRIV_APSH_TREE_ROOT,    DOCA_PRIV_APSH_NODE_PARENT,
                                    DOCA_PRIV_APSH_RANGE_PIVOTS, DOCA_PRIV_APSH_RANGE_SLOTS,
                                    DOCA_PRIV_APSH_ARANGE_PIVOTS, DOCA_PRIV_APSH_ARANGE_SLOTS };
    static const uint8_t row[] = { DOCA_PRIV_APSH_MM_AREAS, DOCA_PRIV_APSH_AREA_NEXT,
                                   DOCA_PRIV_APSH_AREA_PREV };
    const bool has_tree = doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_MM_TREE);
    doca_error_t rc = doca_priv_apsh_need(kernel, areas, sizeof(areas), function);

    if (rc == DOCA_SUCCESS && !has_tree)
        return doca_priv_apsh_need(kernel, row, sizeof(row), function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_need(kernel, tree, sizeof(tree), function);
    if (rc == DOCA_SUCCESS && (!doca_priv_apsh_has_slots(kernel, DOCA_PRIV_APSH_RANGE_NUM) ||
                               !doca_priv_apsh_has_slots(kernel, DOCA_PRIV_APSH_ARANGE_NUM)))
        rc = doca_priv_apsh_lacks("slots of maple trees", function);
    return rc;
}

/* Get the address space of the process of a list. 0: the process is a thread of the kernel and has
 * no address space. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_areas_space(struct doca_priv_apsh_list *list,
                                                       uint64_t *mm)
{
    uint64_t task = 0;
    doca_error_t rc = doca_priv_apsh_list_task(list, &task);

    *mm = 0;
    return rc == DOCA_SUCCESS
               ? doca_priv_apsh_get_64(list->kernel, task, DOCA_PRIV_APSH_TASK_MM, mm)
               : rc;
}

/* Return the last address of a slot: its pivot. The last slot in use has no pivot, or a pivot of 0;
 * its last address is the last address of the node. */
static uint64_t doca_priv_apsh_node_pivot(const struct doca_priv_apsh_node *node, uint32_t slot)
{
    const uint64_t pivot = slot + 1 < node->num ? doca_priv_apsh_u64(node->pivots[slot]) : 0;

    return pivot != 0 ? pivot : node->last;
}

/* True when a slot of a leaf points to an area: it is neither empty nor a marker of the tree. */
static bool doca_priv_apsh_is_area(uint64_t entry)
{
    return entry != 0 && (entry & 3) != 2;
}

/* Read the nodes or areas that the slots of a node point to, in one batch. */
static void doca_priv_apsh_node_fetch(struct doca_priv_apsh_kernel *kernel,
                                      const struct doca_priv_apsh_node *node)
{
    uint64_t addrs[2 * DOCA_PRIV_APSH_NODE_SLOTS], at;
    uint32_t num = 0, i;

    for (i = 0; i < node->num; i++) {
        at = doca_priv_apsh_u64(node->slots[i]);
        if (!node->is_leaf) {
            doca_priv_apsh_batch(kernel, at & ~(uint64_t)DOCA_PRIV_APSH_NODE_MASK, addrs, &num);
        } else if (doca_priv_apsh_is_area(at)) {
            doca_priv_apsh_batch(kernel, doca_priv_apsh_in(kernel, at, DOCA_PRIV_APSH_AREA_START),
                                 addrs, &num);
            doca_priv_apsh_batch(kernel, doca_priv_apsh_in(kernel, at, DOCA_PRIV_APSH_AREA_FILE),
                                 addrs, &num);
        }
        if (doca_priv_apsh_node_pivot(node, i) == node->last)
            break;
    }
    doca_priv_apsh_mem_fetch(&kernel->mem, addrs, num);
}

/* Read the slots and pivots of a node, and what the slots point to. */
static doca_error_t doca_priv_apsh_node_read(struct doca_priv_apsh_kernel *kernel,
                                             struct doca_priv_apsh_node *node, bool is_arange)
{
    const uint64_t slots = doca_priv_apsh_in(
        kernel, node->at, is_arange ? DOCA_PRIV_APSH_ARANGE_SLOTS : DOCA_PRIV_APSH_RANGE_SLOTS);
    const uint64_t pivots = doca_priv_apsh_in(
        kernel, node->at, is_arange ? DOCA_PRIV_APSH_ARANGE_PIVOTS : DOCA_PRIV_APSH_RANGE_PIVOTS);
    doca_error_t rc = doca_priv_apsh_read(kernel, slots, node->slots,
                                          node->num * sizeof(node->slots[0]));

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_read(kernel, pivots, node->pivots,
                                 (node->num - 1) * sizeof(node->pivots[0]));
    if (rc == DOCA_SUCCESS)
        doca_priv_apsh_node_fetch(kernel, node);
    return rc;
}

/* Go down to the node that `entry` points to. [first, last] is the range of addresses of the node.
 * `slot` is the index of `entry` in the parent node; it is not used for the root. */
static doca_error_t doca_priv_apsh_node_enter(struct doca_priv_apsh_areas *areas, uint64_t entry,
                                              uint32_t slot, uint64_t first, uint64_t last)
{
    struct doca_priv_apsh_kernel *kernel = areas->kernel;
    const uint64_t at = entry & ~(uint64_t)DOCA_PRIV_APSH_NODE_MASK;
    const unsigned type = entry >> 3 & 15;
    const bool is_arange = type == DOCA_PRIV_APSH_ARANGE_64;
    const enum doca_priv_apsh_member num =
        is_arange ? DOCA_PRIV_APSH_ARANGE_NUM : DOCA_PRIV_APSH_RANGE_NUM;
    struct doca_priv_apsh_node *node;
    uint64_t parent = 0, wanted;
    doca_error_t rc;

    if (areas->depth == DOCA_PRIV_APSH_TREE_DEPTH || type < DOCA_PRIV_APSH_LEAF_64 ||
        type > DOCA_PRIV_APSH_ARANGE_64)
        return DOCA_ERROR_NOT_FOUND;
    rc = doca_priv_apsh_get_64(kernel, at, DOCA_PRIV_APSH_NODE_PARENT, &parent);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (areas->depth == 0) {
        wanted = doca_priv_apsh_in(kernel, areas->mm, DOCA_PRIV_APSH_MM_TREE) |
                 DOCA_PRIV_APSH_ROOT_PARENT;
    } else { /* clear two bits, which are a type */
        parent &= ~(uint64_t)6;
        wanted = areas->nodes[areas->depth - 1].at | slot << 3;
    }
    if (parent != wanted)
        return DOCA_ERROR_NOT_FOUND;
    node = &areas->nodes[areas->depth++];
    node->at = at;
    node->first = first;
    node->last = last;
    node->next = 0;
    node->num = (uint32_t)kernel->offsets[num];
    node->is_leaf = type == DOCA_PRIV_APSH_LEAF_64;
    node->is_over = false;
    return doca_priv_apsh_node_read(kernel, node, is_arange);
}

/* Move to the next slot of a node, and get its range. */
static doca_error_t doca_priv_apsh_node_next(struct doca_priv_apsh_node *node, uint64_t *entry,
                                             uint64_t *first, uint64_t *last)
{
    const uint32_t slot = node->next++;
    const uint64_t pivot = doca_priv_apsh_node_pivot(node, slot);

    if (pivot < node->first || pivot > node->last)
        return DOCA_ERROR_NOT_FOUND;
    *entry = doca_priv_apsh_u64(node->slots[slot]);
    *first = node->first;
    *last = pivot;
    node->is_over = pivot == node->last;
    node->first = pivot + 1;
    return DOCA_SUCCESS;
}

/* Move to the next entry of a leaf that is an area. After the last area *at is 0. */
static doca_error_t doca_priv_apsh_tree_next(struct doca_priv_apsh_areas *areas, uint64_t *at,
                                             uint64_t *first, uint64_t *last)
{
    struct doca_priv_apsh_node *node;
    uint64_t entry = 0;
    doca_error_t rc = DOCA_SUCCESS;

    *at = 0;
    while (areas->depth > 0 && rc == DOCA_SUCCESS) {
        node = &areas->nodes[areas->depth - 1];
        if (node->is_over) {
            areas->depth--;
            continue;
        }
        rc = doca_priv_apsh_node_next(node, &entry, first, last);
        if (rc != DOCA_SUCCESS)
            break;
        if (!node->is_leaf) {
            rc = doca_priv_apsh_node_enter(areas, entry, node->next - 1, *first, *last);
        } else if (doca_priv_apsh_is_area(entry)) {
            *at = entry;
            break;
        }
    }
    return rc;
}

/* Begin a walk through the areas of the address space at `mm`. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_areas_begin(struct doca_priv_apsh_areas *areas,
                                                       struct doca_priv_apsh_kernel *kernel,
                                                       uint64_t mm)
{
    uint64_t root = 0;
    doca_error_t rc;

    areas->kernel = kernel;
    areas->mm = mm;
    areas->depth = 0;
    areas->next = areas->previous = areas->end = 0;
    if (!doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_MM_TREE))
        return doca_priv_apsh_get_64(kernel, mm, DOCA_PRIV_APSH_MM_AREAS, &areas->next);
    rc = doca_priv_apsh_get_64(kernel, doca_priv_apsh_in(kernel, mm, DOCA_PRIV_APSH_MM_TREE),
                               DOCA_PRIV_APSH_TREE_ROOT, &root);
    if (rc != DOCA_SUCCESS || root == 0)
        return rc;
    return (root & DOCA_PRIV_APSH_ROOT_ENTRY) != 0
               ? doca_priv_apsh_node_enter(areas, root, 0, 0, UINT64_MAX)
               : DOCA_ERROR_NOT_FOUND;
}

/* Read an area. */
static doca_error_t doca_priv_apsh_area_read(struct doca_priv_apsh_areas *areas, uint64_t at,
                                             struct doca_priv_apsh_area *area)
{
    struct doca_priv_apsh_kernel *kernel = areas->kernel;
    uint64_t mm = 0;
    doca_error_t rc = doca_priv_apsh_get_64(kernel, at, DOCA_PRIV_APSH_AREA_MM, &mm);

    if (rc == DOCA_SUCCESS && mm != areas->mm)
        return DOCA_ERROR_NOT_FOUND;
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_64(kernel, at, DOCA_PRIV_APSH_AREA_START, &area->start);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_64(kernel, at, DOCA_PRIV_APSH_AREA_END, &area->end);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_64(kernel, at, DOCA_PRIV_APSH_AREA_FLAGS, &area->flags);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_64(kernel, at, DOCA_PRIV_APSH_AREA_FILE, &area->file);
    area->at = at;
    return rc;
}

/* Read the next area of a list. */
static doca_error_t doca_priv_apsh_areas_follow(struct doca_priv_apsh_areas *areas,
                                                struct doca_priv_apsh_area *area)
{
    uint64_t previous = 0, next = 0;
    doca_error_t rc = doca_priv_apsh_area_read(areas, areas->next, area);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_64(areas->kernel, area->at, DOCA_PRIV_APSH_AREA_PREV, &previous);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_64(areas->kernel, area->at, DOCA_PRIV_APSH_AREA_NEXT, &next);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (previous != areas->previous || area->start < areas->end || area->end <= area->start)
        return DOCA_ERROR_NOT_FOUND;
    areas->previous = area->at;
    areas->next = next;
    areas->end = area->end;
    return DOCA_SUCCESS;
}

/* Move to the next area. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_areas_next(struct doca_priv_apsh_areas *areas,
                                                      struct doca_priv_apsh_area *area)
{
    uint64_t at = 0, first = 0, last = 0;
    doca_error_t rc;

    area->at = 0;
    if (!doca_priv_apsh_has(areas->kernel, DOCA_PRIV_APSH_MM_TREE))
        return areas->next != 0 ? doca_priv_apsh_areas_follow(areas, area) : DOCA_SUCCESS;
    rc = doca_priv_apsh_tree_next(areas, &at, &first, &last);
    if (rc != DOCA_SUCCESS || at == 0)
        return rc;
    rc = doca_priv_apsh_area_read(areas, at, area);
    return rc == DOCA_SUCCESS && (area->start != first || area->end - 1 != last)
               ? DOCA_ERROR_NOT_FOUND
               : rc;
}

/* Write the protection of an area in letters, as in /proc/PID/maps. */
DOCA_PRIV_DECL void doca_priv_apsh_area_letters(const struct doca_priv_apsh_area *area,
                                                char letters[DOCA_PRIV_APSH_LETTERS])
{
    letters[0] = (area->flags & DOCA_PRIV_APSH_AREA_READ) != 0 ? 'r' : '-';
    letters[1] = (area->flags & DOCA_PRIV_APSH_AREA_WRITE) != 0 ? 'w' : '-';
    letters[2] = (area->flags & DOCA_PRIV_APSH_AREA_CODE) != 0 ? 'x' : '-';
    letters[3] = (area->flags & DOCA_PRIV_APSH_AREA_SHARED) != 0 ? 's' : 'p';
    letters[4] = '\0';
}

/* part: src/compat/apsh/space.c */
/* ---- >>impl.apsh.space -----------------------------------------------------------------------
 * The address space of a process, and the memory in it.                                         */

/* Check that the kernel has the members that address spaces need. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_space_need(const struct doca_priv_apsh_kernel *kernel,
                                                      const char *function)
{
    static const uint8_t needed[] = { DOCA_PRIV_APSH_TASK_MM, DOCA_PRIV_APSH_MM_PGD };

    return doca_priv_apsh_need(kernel, needed, sizeof(needed), function);
}

/* Get the address space of the process of a list: the address of the kernel's structure (0 for a
 * thread of the kernel), and the physical address of the page directory. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_space_get(struct doca_priv_apsh_list *list,
                                                     uint64_t *mm, uint64_t *root)
{
    uint64_t directory = 0;
    doca_error_t rc = doca_priv_apsh_areas_space(list, mm);

    *root = 0;
    if (rc != DOCA_SUCCESS || *mm == 0)
        return rc;
    rc = doca_priv_apsh_get_64(list->kernel, *mm, DOCA_PRIV_APSH_MM_PGD, &directory);
    return rc == DOCA_SUCCESS ? doca_priv_apsh_translate(list->kernel, directory, root) : rc;
}

/* Check, without the cache, that the process still exists and has this address space. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_space_check(struct doca_priv_apsh_list *list,
                                                       uint64_t mm)
{
    uint64_t latest = 0;
    doca_error_t rc;

    doca_priv_apsh_mem_drop(&list->kernel->mem);
    rc = doca_priv_apsh_areas_space(list, &latest);
    return rc == DOCA_SUCCESS && latest != mm ? DOCA_ERROR_NOT_FOUND : rc;
}

/* Read memory of the process with the page directory at `root`. NOT_FOUND: a part of it is not in
 * memory. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_space_read(struct doca_priv_apsh_list *list,
                                                      uint64_t root, uint64_t addr, void *to,
                                                      size_t len)
{
    struct doca_priv_apsh_kernel *kernel = list->kernel;
    unsigned char *out = (unsigned char *)to;
    uint64_t physical = 0;
    doca_error_t rc = DOCA_SUCCESS;
    size_t n;

    for (; len > 0 && rc == DOCA_SUCCESS; addr += n, out += n, len -= n) {
        n = DOCA_PRIV_APSH_PAGE - (size_t)(addr % DOCA_PRIV_APSH_PAGE);
        n = n < len ? n : len;
        rc = doca_priv_apsh_walk(kernel, root, addr, &physical);
        if (rc == DOCA_SUCCESS)
            rc = doca_priv_apsh_mem_read(&kernel->mem, physical, out, n);
    }
    return rc;
}

/* part: src/compat/apsh/path.c */
/* ---- >>impl.apsh.path ------------------------------------------------------------------------
 * Paths of files. A path leads from a directory entry through its parents to the root of its file
 * system, from there to the entry where the file system is mounted, and so on up to the root of all
 * mounts. Each name has at least one character, so the length of a path bounds the number of
 * entries; the number of mounts is bounded separately. Loops are errors: each entry is compared
 * with a saved earlier entry. The distance at which the saved entry is replaced doubles each time.
 *                                                                                               */

#define DOCA_PRIV_APSH_NAME_MAX 255u /* bytes of a name of a directory entry */
#define DOCA_PRIV_APSH_MOUNTS 64u    /* maximum depth of nested mounts */

/* Check that the kernel has the members that paths need. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_path_need(const struct doca_priv_apsh_kernel *kernel,
                                                     const char *function)
{
    static const uint8_t needed[] = {
        DOCA_PRIV_APSH_FILE_DENTRY, DOCA_PRIV_APSH_FILE_MNT,    DOCA_PRIV_APSH_DENTRY_PARENT,
        DOCA_PRIV_APSH_DENTRY_LEN,  DOCA_PRIV_APSH_DENTRY_NAME, DOCA_PRIV_APSH_MNT_ROOT,
        DOCA_PRIV_APSH_MOUNT_MNT,   DOCA_PRIV_APSH_MOUNT_PARENT, DOCA_PRIV_APSH_MOUNT_POINT
    };

    return doca_priv_apsh_need(kernel, needed, sizeof(needed), function);
}

/* Get the location of the open file whose structure is at `file`. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_path_place(struct doca_priv_apsh_kernel *kernel,
                                                      uint64_t file,
                                                      struct doca_priv_apsh_location *place)
{
    doca_error_t rc =
        doca_priv_apsh_get_64(kernel, file, DOCA_PRIV_APSH_FILE_DENTRY, &place->dentry);

    return rc == DOCA_SUCCESS
               ? doca_priv_apsh_get_64(kernel, file, DOCA_PRIV_APSH_FILE_MNT, &place->mnt)
               : rc;
}

/* Write the name of a directory entry, with a slash, before the path. If there is not enough room,
 * the beginning of the name is cut off. */
static doca_error_t doca_priv_apsh_path_prepend(struct doca_priv_apsh_kernel *kernel,
                                                uint64_t dentry, struct doca_priv_apsh_path *path)
{
    char name[1 + DOCA_PRIV_APSH_NAME_MAX];
    uint32_t len = 0;
    uint64_t at = 0;
    size_t n;
    doca_error_t rc = doca_priv_apsh_get_32(kernel, dentry, DOCA_PRIV_APSH_DENTRY_LEN, &len);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_64(kernel, dentry, DOCA_PRIV_APSH_DENTRY_NAME, &at);
    if (rc == DOCA_SUCCESS && (len == 0 || len > DOCA_PRIV_APSH_NAME_MAX))
        return DOCA_ERROR_NOT_FOUND;
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_read(kernel, at, name + 1, len);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (memchr(name + 1, '\0', len) != NULL)
        return DOCA_ERROR_NOT_FOUND;
    name[0] = '/';
    n = len + 1 < path->first ? len + 1 : path->first;
    path->first -= n;
    memcpy(path->text + path->first, name + (len + 1 - n), n);
    return DOCA_SUCCESS;
}

/* Move from the root of a file system to the entry where the file system is mounted. *is_top is set
 * when the file system is the root of all mounts. */
static doca_error_t doca_priv_apsh_path_up(struct doca_priv_apsh_kernel *kernel,
                                           struct doca_priv_apsh_location *place, bool *is_top)
{
    const uint64_t mount =
        place->mnt - (uint64_t)(int64_t)kernel->offsets[DOCA_PRIV_APSH_MOUNT_MNT];
    uint64_t parent = 0;
    doca_error_t rc = doca_priv_apsh_get_64(kernel, mount, DOCA_PRIV_APSH_MOUNT_PARENT, &parent);

    *is_top = parent == mount;
    if (rc != DOCA_SUCCESS || *is_top)
        return rc;
    place->mnt = doca_priv_apsh_in(kernel, parent, DOCA_PRIV_APSH_MOUNT_MNT);
    return doca_priv_apsh_get_64(kernel, mount, DOCA_PRIV_APSH_MOUNT_POINT, &place->dentry);
}

/* Read the path of a location. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_path_read(struct doca_priv_apsh_list *list,
                                                     struct doca_priv_apsh_location place,
                                                     struct doca_priv_apsh_path *path)
{
    const size_t room = DOCA_PRIV_APSH_LIMIT(list->system, DOCA_APSH_STRING_LIMIT);
    struct doca_priv_apsh_kernel *kernel = list->kernel;
    uint64_t root = 0, parent = 0, passed = 0;
    uint32_t num_mounts = 0, num_names = 0;
    bool is_top = false;
    doca_error_t rc;

    path->first = room < sizeof(path->text) ? room - 1 : sizeof(path->text) - 1;
    path->text[path->first] = '\0';
    while (path->first > 0 && !is_top) {
        rc = doca_priv_apsh_get_64(kernel, place.mnt, DOCA_PRIV_APSH_MNT_ROOT, &root);
        if (rc == DOCA_SUCCESS && place.dentry == root) {
            rc = doca_priv_apsh_path_up(kernel, &place, &is_top);
            if (num_mounts++ == DOCA_PRIV_APSH_MOUNTS)
                rc = DOCA_ERROR_NOT_FOUND;
        } else if (rc == DOCA_SUCCESS) {
            rc = doca_priv_apsh_path_prepend(kernel, place.dentry, path);
            if (rc == DOCA_SUCCESS)
                rc = doca_priv_apsh_get_64(kernel, place.dentry, DOCA_PRIV_APSH_DENTRY_PARENT,
                                           &parent);
            is_top = parent == place.dentry; /* a file without a directory */
            place.dentry = parent;
            if (rc == DOCA_SUCCESS && !is_top && parent == passed)
                rc = DOCA_ERROR_NOT_FOUND;
            if ((num_names & (num_names + 1)) == 0) /* before entries 1, 2, 4, 8 and so on */
                passed = parent;
            num_names++;
        }
        if (rc != DOCA_SUCCESS)
            return rc;
    }
    if (path->first > 0 && path->text[path->first] == '\0') /* the root itself */
        path->text[--path->first] = '/';
    return DOCA_SUCCESS;
}

/* Return the bytes of a path with its NUL. */
DOCA_PRIV_DECL size_t doca_priv_apsh_path_bytes(const struct doca_priv_apsh_path *path)
{
    return strlen(path->text + path->first) + 1;
}

/* Copy a path to the snapshot. Returns NULL when the path has grown since it was counted. */
DOCA_PRIV_DECL char *doca_priv_apsh_path_text(const struct doca_priv_apsh_list *list,
                                              const struct doca_priv_apsh_path *path)
{
    return doca_priv_apsh_text(list->snapshot, path->text + path->first,
                               doca_priv_apsh_path_bytes(path) - 1);
}

/* part: src/compat/apsh/vad.c */
/* ---- >>impl.apsh.vad -------------------------------------------------------------------------
 * The list of the memory areas of a process. Neighbouring areas of one file share the string of the
 * path.                                                                                         */

DOCA_PRIV_APSH_ASSERT(vad_has_its_size, sizeof(void *) + sizeof(struct doca_priv_apsh_element) +
                                                7 * sizeof(uintptr_t) + 5 ==
                                            DOCA_PRIV_APSH_VAD_BYTES)

/* A pass over the areas. It counts them if there is no snapshot yet; otherwise it adds them to
 * it. */
struct doca_priv_apsh_pass {
    struct doca_priv_apsh_areas areas;
    struct doca_priv_apsh_path path;
    uint64_t file;       /* file of the latest path */
    const char *text;    /* latest path in the snapshot; NULL: not yet copied */
    const char *name;    /* name of the process, a string of the snapshot */
    uint32_t num;        /* number of areas */
    size_t path_bytes;   /* sum of the lengths of all paths */
};

/* Add an area to the snapshot. `path`: a string of the snapshot, or "". */
static doca_error_t doca_priv_apsh_add_vad(struct doca_priv_apsh_list *list,
                                           const struct doca_priv_apsh_area *area,
                                           const char *name, const char *path)
{
    struct doca_priv_apsh_element *element;
    char protection[DOCA_PRIV_APSH_LETTERS];

    doca_priv_apsh_area_letters(area, protection);
    element = doca_priv_apsh_snapshot_add(list->snapshot, area->at);
    doca_priv_apsh_set(element, DOCA_APSH_VMA_PID,
                       doca_priv_apsh_list_value(list, DOCA_APSH_PROCESS_PID));
    doca_priv_apsh_set(element, DOCA_APSH_VMA_OFFSET, area->at);
    doca_priv_apsh_set(element, DOCA_APSH_VMA_PROTECTION,
                       doca_priv_apsh_list_text(list, protection));
    doca_priv_apsh_set(element, DOCA_APSH_VMA_VM_START, area->start);
    doca_priv_apsh_set(element, DOCA_APSH_VMA_VM_END, area->end);
    doca_priv_apsh_set(element, DOCA_APSH_VMA_PROCESS_NAME, (uintptr_t)name);
    doca_priv_apsh_set(element, DOCA_APSH_VMA_FILE_PATH, (uintptr_t)path);
    return DOCA_SUCCESS;
}

/* Read the path of the file of an area, unless the area before has the same file. */
static doca_error_t doca_priv_apsh_pass_path(struct doca_priv_apsh_list *list,
                                             struct doca_priv_apsh_pass *pass, uint64_t file)
{
    struct doca_priv_apsh_location place;
    doca_error_t rc;

    if (file == pass->file)
        return DOCA_SUCCESS;
    pass->file = file;
    pass->text = "";
    if (file == 0)
        return DOCA_SUCCESS;
    rc = doca_priv_apsh_path_place(list->kernel, file, &place);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_path_read(list, place, &pass->path);
    if (rc != DOCA_SUCCESS)
        return rc;
    pass->path_bytes += doca_priv_apsh_path_bytes(&pass->path);
    if (list->snapshot == NULL)
        return DOCA_SUCCESS;
    pass->text = doca_priv_apsh_path_text(list, &pass->path);
    return pass->text != NULL ? DOCA_SUCCESS : DOCA_ERROR_NOT_FOUND;
}

/* Make a pass over up to `limit` areas. */
static doca_error_t doca_priv_apsh_pass_make(struct doca_priv_apsh_list *list,
                                             struct doca_priv_apsh_pass *pass, uint64_t mm,
                                             uint32_t limit)
{
    struct doca_priv_apsh_area area;
    doca_error_t rc = doca_priv_apsh_areas_begin(&pass->areas, list->kernel, mm);

    pass->file = 0;
    pass->text = "";
    pass->path_bytes = 0;
    for (pass->num = 0; pass->num < limit && rc == DOCA_SUCCESS; pass->num++) {
        rc = doca_priv_apsh_areas_next(&pass->areas, &area);
        if (rc != DOCA_SUCCESS || area.at == 0)
            break;
        rc = doca_priv_apsh_pass_path(list, pass, area.file);
        if (rc == DOCA_SUCCESS && list->snapshot != NULL)
            rc = doca_priv_apsh_add_vad(list, &area, pass->name, pass->text);
    }
    return rc;
}

/* Make one attempt to count the areas and to read them into a snapshot. */
static doca_error_t doca_priv_apsh_read_vads(struct doca_priv_apsh_list *list)
{
    struct doca_priv_apsh_pass pass;
    uint64_t mm = 0;
    uint32_t num = 0;
    doca_error_t rc = doca_priv_apsh_areas_space(list, &mm);

    pass.num = 0;
    pass.path_bytes = 0;
    if (rc == DOCA_SUCCESS && mm != 0)
        rc = doca_priv_apsh_pass_make(list, &pass, mm, list->limit);
    num = pass.num;
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_snapshot_make(
            list->system, DOCA_PRIV_APSH_VADS, num,
            DOCA_PRIV_APSH_COMM_BYTES + (size_t)num * 5 + pass.path_bytes, &list->snapshot);
    if (rc != DOCA_SUCCESS || num == 0)
        return rc;
    pass.name = (const char *)(uintptr_t)doca_priv_apsh_list_name(list);
    rc = doca_priv_apsh_pass_make(list, &pass, mm, num);
    return rc == DOCA_SUCCESS && pass.num != num ? DOCA_ERROR_NOT_FOUND : rc;
}

/* Read the list of the memory areas of a process. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_vads(const struct doca_apsh_process *process,
                                                struct doca_priv_apsh_snapshot **snapshot,
                                                const char *function)
{
    struct doca_priv_apsh_list list;
    doca_error_t rc;

    doca_priv_apsh_list_begin(&list, NULL, process, DOCA_APSH_VADS_LIMIT);
    rc = doca_priv_apsh_areas_need(list.kernel, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_path_need(list.kernel, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_list_read(&list, doca_priv_apsh_read_vads, function);
    *snapshot = list.snapshot;
    return rc;
}

/* part: src/compat/apsh/lib.c */
/* ---- >>impl.apsh.lib -------------------------------------------------------------------------
 * The list of the libraries of a process: the files of its executable areas. A *run* is a sequence
 * of neighbouring areas that map one file. The runs with code are collected in a block and sorted,
 * so that several runs of one file are neighbours.                                              */

struct doca_priv_apsh_run {
    struct doca_priv_apsh_location place;
    uint64_t start;
};

DOCA_PRIV_APSH_ASSERT(run_has_its_size,
                      sizeof(struct doca_priv_apsh_run) == DOCA_PRIV_APSH_RUN_BYTES)
DOCA_PRIV_APSH_ASSERT(lib_has_its_size, sizeof(void *) + sizeof(struct doca_priv_apsh_element) +
                                                4 * sizeof(uintptr_t) ==
                                            DOCA_PRIV_APSH_LIB_BYTES)

/* Runs that are being counted, or collected when `runs` is not NULL. */
struct doca_priv_apsh_runs {
    struct doca_priv_apsh_run *runs;
    uint32_t num;
    uint32_t max;   /* maximum number of runs, or UINT32_MAX */
    uint64_t file;  /* file of the current run; 0: there is no current run */
    uint64_t start; /* start of the current run */
    bool has_code;
};

/* End the current run. Only a run with executable areas counts. */
static doca_error_t doca_priv_apsh_run_end(struct doca_priv_apsh_kernel *kernel,
                                           struct doca_priv_apsh_runs *runs)
{
    struct doca_priv_apsh_run *run;

    if (runs->file == 0 || !runs->has_code)
        return DOCA_SUCCESS;
    if (runs->num == runs->max)
        return DOCA_ERROR_NOT_FOUND;
    runs->num++;
    if (runs->runs == NULL)
        return DOCA_SUCCESS;
    run = &runs->runs[runs->num - 1];
    run->start = runs->start;
    return doca_priv_apsh_path_place(kernel, runs->file, &run->place);
}

/* Count or collect the runs of an address space, in its first VADS_LIMIT areas. */
static doca_error_t doca_priv_apsh_runs_make(struct doca_priv_apsh_list *list, uint64_t mm,
                                             struct doca_priv_apsh_runs *runs)
{
    const uint32_t limit = DOCA_PRIV_APSH_LIMIT(list->system, DOCA_APSH_VADS_LIMIT);
    struct doca_priv_apsh_areas areas;
    struct doca_priv_apsh_area area;
    doca_error_t rc = doca_priv_apsh_areas_begin(&areas, list->kernel, mm);
    uint32_t i;

    runs->num = 0;
    runs->file = runs->start = 0;
    runs->has_code = false;
    for (i = 0; i < limit && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_areas_next(&areas, &area);
        if (rc != DOCA_SUCCESS || area.at == 0)
            break;
        if (area.file != runs->file) {
            rc = doca_priv_apsh_run_end(list->kernel, runs);
            runs->file = area.file;
            runs->start = area.start;
            runs->has_code = false;
        }
        runs->has_code = runs->has_code || (area.flags & DOCA_PRIV_APSH_AREA_CODE) != 0;
    }
    return rc == DOCA_SUCCESS ? doca_priv_apsh_run_end(list->kernel, runs) : rc;
}

/* True when run `a` is before run `b`: by file and address, or by address alone. */
static bool doca_priv_apsh_run_before(const struct doca_priv_apsh_run *a,
                                      const struct doca_priv_apsh_run *b, bool by_place)
{
    if (by_place && a->place.dentry != b->place.dentry)
        return a->place.dentry < b->place.dentry;
    if (by_place && a->place.mnt != b->place.mnt)
        return a->place.mnt < b->place.mnt;
    return a->start < b->start;
}

/* Sift the run at `at` down in a heap. The root of the heap is the last run of the order. */
static void doca_priv_apsh_runs_sink(struct doca_priv_apsh_run *runs, uint32_t num, uint32_t at,
                                     bool by_place)
{
    const struct doca_priv_apsh_run run = runs[at];
    uint32_t child;

    while (at < num / 2) {
        child = 2 * at + 1;
        if (child + 1 < num &&
            doca_priv_apsh_run_before(&runs[child], &runs[child + 1], by_place))
            child++;
        if (!doca_priv_apsh_run_before(&run, &runs[child], by_place))
            break;
        runs[at] = runs[child];
        at = child;
    }
    runs[at] = run;
}

/* Heapsort the runs. It needs no more memory, and a hostile target cannot make it slow. */
static void doca_priv_apsh_runs_sort(struct doca_priv_apsh_run *runs, uint32_t num, bool by_place)
{
    struct doca_priv_apsh_run run;
    uint32_t i;

    for (i = num / 2; i-- > 0;)
        doca_priv_apsh_runs_sink(runs, num, i, by_place);
    for (i = num; i-- > 1;) {
        run = runs[0];
        runs[0] = runs[i];
        runs[i] = run;
        doca_priv_apsh_runs_sink(runs, i, 0, by_place);
    }
}

/* Keep the first run of each file, in the order of addresses. Returns their number. */
static uint32_t doca_priv_apsh_runs_merge(struct doca_priv_apsh_run *runs, uint32_t num)
{
    uint32_t kept = 0, i;

    doca_priv_apsh_runs_sort(runs, num, true);
    for (i = 0; i < num; i++)
        if (i == 0 || runs[i].place.dentry != runs[kept - 1].place.dentry ||
            runs[i].place.mnt != runs[kept - 1].place.mnt)
            runs[kept++] = runs[i];
    doca_priv_apsh_runs_sort(runs, kept, false);
    return kept;
}

/* Add libraries to the snapshot. */
static doca_error_t doca_priv_apsh_add_libs(struct doca_priv_apsh_list *list,
                                            const struct doca_priv_apsh_run *runs, uint32_t num)
{
    struct doca_priv_apsh_element *element;
    struct doca_priv_apsh_path path;
    doca_error_t rc = DOCA_SUCCESS;
    const char *text;
    uint32_t i;

    for (i = 0; i < num && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_path_read(list, runs[i].place, &path);
        if (rc != DOCA_SUCCESS)
            break;
        text = doca_priv_apsh_path_text(list, &path);
        if (text == NULL)
            return DOCA_ERROR_NOT_FOUND;
        element = doca_priv_apsh_snapshot_add(list->snapshot, runs[i].place.dentry);
        doca_priv_apsh_set(element, DOCA_APSH_LIB_PID,
                           doca_priv_apsh_list_value(list, DOCA_APSH_PROCESS_PID));
        doca_priv_apsh_set(element, DOCA_APSH_LIB_LIBRARY_PATH, (uintptr_t)text);
        doca_priv_apsh_set(element, DOCA_APSH_LIB_LOAD_ADRESS, runs[i].start);
        doca_priv_apsh_set(element, DOCA_APSH_LIB_LINUX_LOAD_ADRESS, runs[i].start);
    }
    return rc;
}

/* Make a snapshot of the libraries: sum up the lengths of their paths, and then add them. */
static doca_error_t doca_priv_apsh_make_libs(struct doca_priv_apsh_list *list,
                                             struct doca_priv_apsh_run *runs, uint32_t num)
{
    struct doca_priv_apsh_path path;
    size_t path_bytes = 0;
    doca_error_t rc = DOCA_SUCCESS;
    uint32_t i;

    num = num < list->limit ? num : list->limit;
    for (i = 0; i < num && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_path_read(list, runs[i].place, &path);
        if (rc == DOCA_SUCCESS)
            path_bytes += doca_priv_apsh_path_bytes(&path);
    }
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_snapshot_make(list->system, DOCA_PRIV_APSH_LIBS, num, path_bytes,
                                          &list->snapshot);
    return rc == DOCA_SUCCESS ? doca_priv_apsh_add_libs(list, runs, num) : rc;
}

/* Count and read the list once. */
static doca_error_t doca_priv_apsh_read_libs(struct doca_priv_apsh_list *list)
{
    struct doca_priv_apsh_runs runs;
    void *block = NULL;
    uint64_t mm = 0;
    doca_error_t rc = doca_priv_apsh_areas_space(list, &mm);

    runs.runs = NULL;
    runs.num = 0;
    runs.max = UINT32_MAX;
    if (rc == DOCA_SUCCESS && mm != 0)
        rc = doca_priv_apsh_runs_make(list, mm, &runs);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (runs.num == 0)
        return doca_priv_apsh_make_libs(list, NULL, 0);
    rc = doca_core_arena_take(list->system->arena, runs.num * sizeof(*runs.runs), &block);
    if (rc != DOCA_SUCCESS)
        return rc;
    runs.runs = (struct doca_priv_apsh_run *)block;
    runs.max = runs.num;
    rc = doca_priv_apsh_runs_make(list, mm, &runs);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_make_libs(list, runs.runs,
                                      doca_priv_apsh_runs_merge(runs.runs, runs.num));
    (void)doca_core_arena_give(list->system->arena, block);
    return rc;
}

/* Read the list of the libraries of a process. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_libs(const struct doca_apsh_process *process,
                                                struct doca_priv_apsh_snapshot **snapshot,
                                                const char *function)
{
    struct doca_priv_apsh_list list;
    doca_error_t rc;

    doca_priv_apsh_list_begin(&list, NULL, process, DOCA_APSH_LIBS_LIMIT);
    list.budget = DOCA_CORE_APSH_LIST_READS(
        (uint64_t)list.limit + DOCA_PRIV_APSH_LIMIT(list.system, DOCA_APSH_VADS_LIMIT));
    rc = doca_priv_apsh_areas_need(list.kernel, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_path_need(list.kernel, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_list_read(&list, doca_priv_apsh_read_libs, function);
    *snapshot = list.snapshot;
    return rc;
}

/* part: src/compat/apsh/envar.c */
/* ---- >>impl.apsh.envar -----------------------------------------------------------------------
 * The environment of a process: strings NAME=VALUE in memory of the process, each with a NUL, in
 * the range that the kernel notes when the process executes a file. The first pass counts variables
 * and bytes, the second copies them. The content of a page that is not in memory is unknown: a
 * string with a byte in such a page is left out, and so is the first string after the page, because
 * its beginning may be missing.                                                                 */

/* Maximum number of bytes of an environment that are looked at: Linux allows 6 MiB for arguments
 * and environment together, but a process may move the range that the kernel notes. */
#define DOCA_PRIV_APSH_ENV_BYTES ((uint64_t)6 << 20)

DOCA_PRIV_APSH_ASSERT(envar_has_its_size, sizeof(void *) + sizeof(struct doca_priv_apsh_element) +
                                                  3 * sizeof(uintptr_t) ==
                                              DOCA_PRIV_APSH_ENVAR_BYTES)

/* A pass through the strings. */
struct doca_priv_apsh_env {
    struct doca_priv_apsh_list *list;
    uint64_t root;           /* physical address of the page directory */
    uint64_t at, end;        /* addresses */
    uint64_t page;           /* address of the page in `bytes`; 1 before the first page */
    bool is_cut;             /* the beginning of the string at `at` may be missing */
    unsigned char bytes[DOCA_PRIV_APSH_PAGE];
};

/* A variable: addresses of the name, of the end of the name, and of the end of the value. */
struct doca_priv_apsh_variable {
    uint64_t name; /* 0 after the last variable */
    uint64_t name_end, end;
};

/* Find the range of the environment. */
static doca_error_t doca_priv_apsh_env_begin(struct doca_priv_apsh_env *env, uint64_t mm)
{
    struct doca_priv_apsh_kernel *kernel = env->list->kernel;
    uint64_t start = 0, end = 0;
    doca_error_t rc = doca_priv_apsh_get_64(kernel, mm, DOCA_PRIV_APSH_MM_ENV_START, &start);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_64(kernel, mm, DOCA_PRIV_APSH_MM_ENV_END, &end);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (end < start || end >> DOCA_PRIV_APSH_USER_BITS != 0)
        return DOCA_ERROR_NOT_FOUND;
    env->at = start;
    env->end = end - start < DOCA_PRIV_APSH_ENV_BYTES ? end : start + DOCA_PRIV_APSH_ENV_BYTES;
    env->page = 1;
    env->is_cut = false;
    return DOCA_SUCCESS;
}

/* Read the page with env->at into env->bytes. NOT_FOUND: the page is not in memory. */
static doca_error_t doca_priv_apsh_env_load(struct doca_priv_apsh_env *env)
{
    const uint64_t page = env->at - env->at % DOCA_PRIV_APSH_PAGE;
    doca_error_t rc;

    if (page == env->page)
        return DOCA_SUCCESS;
    rc = doca_priv_apsh_space_read(env->list, env->root, page, env->bytes, DOCA_PRIV_APSH_PAGE);
    env->page = rc == DOCA_SUCCESS ? page : 1;
    return rc;
}

/* Move to the next variable. Empty strings are skipped. */
static doca_error_t doca_priv_apsh_env_next(struct doca_priv_apsh_env *env,
                                            struct doca_priv_apsh_variable *variable)
{
    uint64_t first = env->at, sign = 0; /* beginning of the string; address of its '=' */
    const unsigned char *from, *found;
    size_t len, n;
    doca_error_t rc;

    variable->name = 0;
    while (env->at < env->end) {
        rc = doca_priv_apsh_env_load(env);
        n = DOCA_PRIV_APSH_PAGE - (size_t)(env->at % DOCA_PRIV_APSH_PAGE);
        n = n < env->end - env->at ? n : (size_t)(env->end - env->at);
        if (rc == DOCA_ERROR_NOT_FOUND) {
            env->at += n;
            env->is_cut = true;
            continue;
        }
        if (rc != DOCA_SUCCESS)
            return rc;
        from = env->bytes + env->at % DOCA_PRIV_APSH_PAGE;
        found = (const unsigned char *)memchr(from, '\0', n);
        len = found != NULL ? (size_t)(found - from) : n;
        if (sign == 0 && (found = (const unsigned char *)memchr(from, '=', len)) != NULL)
            sign = env->at + (uint64_t)(found - from);
        env->at += len;
        if (len == n && env->at < env->end)
            continue; /* the string continues in the next page */
        variable->end = env->at;
        env->at++; /* skip the NUL, if the string has one */
        if (!env->is_cut && variable->end > first) {
            variable->name = first;
            variable->name_end = sign != 0 ? sign : variable->end;
            return DOCA_SUCCESS;
        }
        env->is_cut = false;
        first = env->at;
        sign = 0;
    }
    return DOCA_SUCCESS;
}

/* Return the length of a string of the environment, cut to STRING_LIMIT. */
static size_t doca_priv_apsh_env_len(const struct doca_priv_apsh_list *list, uint64_t start,
                                     uint64_t end)
{
    const uint64_t room = DOCA_PRIV_APSH_LIMIT(list->system, DOCA_APSH_STRING_LIMIT) - 1u;

    return (size_t)(end - start < room ? end - start : room);
}

/* Copy the string at [start, end) to the snapshot, as the value of an attribute. */
static doca_error_t doca_priv_apsh_env_copy(const struct doca_priv_apsh_env *env, uint64_t start,
                                            uint64_t end, uint64_t *value)
{
    const size_t len = doca_priv_apsh_env_len(env->list, start, end);
    char *text = doca_priv_apsh_text_room(env->list->snapshot, len);

    if (text == NULL)
        return DOCA_ERROR_NOT_FOUND;
    *value = (uintptr_t)text;
    return doca_priv_apsh_space_read(env->list, env->root, start, text, len);
}

/* Add a variable to the snapshot. */
static doca_error_t doca_priv_apsh_env_add(const struct doca_priv_apsh_env *env,
                                           const struct doca_priv_apsh_variable *variable)
{
    const uint64_t value_at =
        variable->name_end < variable->end ? variable->name_end + 1 : variable->end;
    struct doca_priv_apsh_element *element;
    uint64_t name = 0, value = 0;
    doca_error_t rc = doca_priv_apsh_env_copy(env, variable->name, variable->name_end, &name);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_env_copy(env, value_at, variable->end, &value);
    if (rc != DOCA_SUCCESS)
        return rc;
    element = doca_priv_apsh_snapshot_add(env->list->snapshot, variable->name);
    doca_priv_apsh_set(element, DOCA_APSH_ENVARS_PID,
                       doca_priv_apsh_list_value(env->list, DOCA_APSH_PROCESS_PID));
    doca_priv_apsh_set(element, DOCA_APSH_ENVARS_VARIABLE, name);
    doca_priv_apsh_set(element, DOCA_APSH_ENVARS_VALUE, value);
    return DOCA_SUCCESS;
}

/* Make a pass over up to `limit` variables: count them and the bytes of their strings, or add them
 * when there is a snapshot. */
static doca_error_t doca_priv_apsh_env_pass(struct doca_priv_apsh_env *env, uint64_t mm,
                                            uint32_t limit, uint32_t *num, size_t *text_bytes)
{
    struct doca_priv_apsh_variable variable;
    doca_error_t rc = doca_priv_apsh_env_begin(env, mm);

    *text_bytes = 0;
    for (*num = 0; *num < limit && rc == DOCA_SUCCESS; ++*num) {
        rc = doca_priv_apsh_env_next(env, &variable);
        if (rc != DOCA_SUCCESS || variable.name == 0)
            break;
        *text_bytes += doca_priv_apsh_env_len(env->list, variable.name, variable.name_end) + 1;
        if (variable.name_end < variable.end)
            *text_bytes +=
                doca_priv_apsh_env_len(env->list, variable.name_end + 1, variable.end);
        ++*text_bytes;
        if (env->list->snapshot != NULL)
            rc = doca_priv_apsh_env_add(env, &variable);
    }
    return rc;
}

/* Count and read the list once. */
static doca_error_t doca_priv_apsh_read_envars(struct doca_priv_apsh_list *list)
{
    struct doca_priv_apsh_env env;
    size_t text_bytes = 0;
    uint64_t mm = 0;
    uint32_t num = 0, again = 0;
    doca_error_t rc;

    memset(&env, 0, sizeof(env));
    env.list = list;
    rc = doca_priv_apsh_space_get(list, &mm, &env.root);
    if (rc == DOCA_SUCCESS && mm != 0)
        rc = doca_priv_apsh_env_pass(&env, mm, list->limit, &num, &text_bytes);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_snapshot_make(list->system, DOCA_PRIV_APSH_ENVARS, num, text_bytes,
                                          &list->snapshot);
    if (rc != DOCA_SUCCESS || num == 0)
        return rc;
    rc = doca_priv_apsh_env_pass(&env, mm, num, &again, &text_bytes);
    return rc == DOCA_SUCCESS && again != num ? DOCA_ERROR_NOT_FOUND : rc;
}

/* Read the environment of a process. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_envars(const struct doca_apsh_process *process,
                                                  struct doca_priv_apsh_snapshot **snapshot,
                                                  const char *function)
{
    static const uint8_t needed[] = { DOCA_PRIV_APSH_MM_ENV_START, DOCA_PRIV_APSH_MM_ENV_END };
    struct doca_priv_apsh_list list;
    doca_error_t rc;

    doca_priv_apsh_list_begin(&list, NULL, process, DOCA_APSH_WINDOWS_ENVARS_LIMIT);
    rc = doca_priv_apsh_space_need(list.kernel, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_need(list.kernel, needed, sizeof(needed), function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_list_read(&list, doca_priv_apsh_read_envars, function);
    *snapshot = list.snapshot;
    return rc;
}

/* part: src/compat/apsh/attest.c */
/* ---- >>impl.apsh.attest ----------------------------------------------------------------------
 * Attestation of a process. First the list of its executable areas is read, in the same way as
 * other lists. Until an area is compared, its element holds the offset of the area in the file as
 * the value of MATCHING_HASHES. Then each area is compared: the members of the zip file that have
 * the name of the area's file are unpacked as a stream. For up to DOCA_PRIV_APSH_PAIRS pages at a
 * time, the pages that the process has in memory are read and compared. At the end the process must
 * still have the same address space. The first string of the list is the path of the zip file, and
 * the `at` of each element is the address of the task. With both, doca_apsh_attst_refresh() can
 * repeat the attestation without the list of processes.                                         */

#define DOCA_PRIV_APSH_VDSO "[vdso]" /* path of the kernel's code in each process */
#define DOCA_PRIV_APSH_VDSO_COPY "vdso" /* member of the zip file with a copy of this code */

/* The state of a call: a block of the arena that exists while the call runs. */
struct doca_priv_apsh_attest {
    struct doca_priv_apsh_list list; /* must be the first member */
    const char *zip_path;
    uint64_t task;   /* address of the task */
    uint64_t mm;     /* address of the address space; 0: a thread of the kernel */
    uint64_t vdso;   /* address of the vdso in the process; 0: the process has no vdso */
    uint64_t root;   /* physical address of the page directory */
    uint64_t read;   /* bytes of the zip file that may still be read */
    uint64_t unpack; /* bytes of the members of the zip file that may still be unpacked */
    bool cannot_hash;
    struct doca_priv_apsh_path path;
    struct doca_priv_apsh_packed member;
    struct doca_priv_apsh_zip zip;
    struct doca_priv_apsh_inflate inflate;
    struct doca_priv_apsh_pairs pairs;
};

/* An area that is compared, and what the comparison counted. */
struct doca_priv_apsh_suspect {
    uint64_t at, end; /* range of addresses that is not compared yet */
    uint64_t place;   /* offset of the area in the file, in pages */
    uint64_t num_present, num_equal;
};

DOCA_PRIV_APSH_ASSERT(attest_has_its_size,
                      sizeof(struct doca_priv_apsh_attest) <= DOCA_PRIV_APSH_ATTEST_BYTES)
DOCA_PRIV_APSH_ASSERT(attestation_has_its_size,
                      sizeof(void *) + sizeof(struct doca_priv_apsh_element) +
                              10 * sizeof(uintptr_t) + DOCA_PRIV_APSH_LETTERS ==
                          DOCA_PRIV_APSH_ATTESTATION_BYTES)

/* ---- the list of areas ---- */

/* Check that the kernel has the members that attestations need. */
static doca_error_t doca_priv_apsh_attest_need(const struct doca_priv_apsh_kernel *kernel,
                                               const char *function)
{
    static const uint8_t needed[] = { DOCA_PRIV_APSH_AREA_PLACE };
    doca_error_t rc = doca_priv_apsh_areas_need(kernel, function);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_space_need(kernel, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_path_need(kernel, function);
    return rc == DOCA_SUCCESS ? doca_priv_apsh_need(kernel, needed, sizeof(needed), function) : rc;
}

/* Read the address of the process's mm_struct, the root of its page tables, and the address of its
 * vDSO (0 when the kernel does not have this member). */
static doca_error_t doca_priv_apsh_attest_space(struct doca_priv_apsh_attest *attest)
{
    struct doca_priv_apsh_kernel *kernel = attest->list.kernel;
    doca_error_t rc = doca_priv_apsh_space_get(&attest->list, &attest->mm, &attest->root);

    attest->vdso = 0;
    if (rc == DOCA_SUCCESS && attest->mm != 0 &&
        doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_MM_VDSO))
        rc = doca_priv_apsh_get_64(kernel, attest->mm, DOCA_PRIV_APSH_MM_VDSO, &attest->vdso);
    return rc;
}

/* Read the path of an area to attest->path. */
static doca_error_t doca_priv_apsh_attest_path(struct doca_priv_apsh_attest *attest,
                                               const struct doca_priv_apsh_area *area)
{
    const size_t room = DOCA_PRIV_APSH_LIMIT(attest->list.system, DOCA_APSH_STRING_LIMIT);
    struct doca_priv_apsh_location place;
    doca_error_t rc;

    if (area->file == 0) {
        memcpy(attest->path.text, DOCA_PRIV_APSH_VDSO, sizeof(DOCA_PRIV_APSH_VDSO));
        attest->path.first = 0;
        if (room < sizeof(DOCA_PRIV_APSH_VDSO))
            attest->path.text[room - 1] = '\0';
        return DOCA_SUCCESS;
    }
    rc = doca_priv_apsh_path_place(attest->list.kernel, area->file, &place);
    return rc == DOCA_SUCCESS ? doca_priv_apsh_path_read(&attest->list, place, &attest->path) : rc;
}

/* Add an area, whose path is in attest->path, to the snapshot. */
static doca_error_t doca_priv_apsh_attest_add(struct doca_priv_apsh_attest *attest,
                                              const struct doca_priv_apsh_area *area,
                                              const char *name)
{
    struct doca_priv_apsh_list *list = &attest->list;
    const uint64_t num_pages = (area->end - area->start) / DOCA_PRIV_APSH_PAGE;
    struct doca_priv_apsh_element *element;
    char letters[DOCA_PRIV_APSH_LETTERS];
    const char *text;
    uint64_t place = 0;
    doca_error_t rc = DOCA_SUCCESS;

    if (area->file != 0)
        rc = doca_priv_apsh_get_64(list->kernel, area->at, DOCA_PRIV_APSH_AREA_PLACE, &place);
    if (rc != DOCA_SUCCESS)
        return rc;
    text = doca_priv_apsh_path_text(list, &attest->path);
    if (text == NULL || area->end <= area->start ||
        (area->start | area->end) % DOCA_PRIV_APSH_PAGE != 0)
        return DOCA_ERROR_NOT_FOUND;
    doca_priv_apsh_area_letters(area, letters);
    element = doca_priv_apsh_snapshot_add(list->snapshot, attest->task);
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_PID,
                       doca_priv_apsh_list_value(list, DOCA_APSH_PROCESS_PID));
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_COMM, (uintptr_t)name);
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_PATH_OF_MEMORY_AREA, (uintptr_t)text);
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_PROTECTION,
                       doca_priv_apsh_list_text(list, letters));
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_START_ADDRESS, area->start);
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_END_ADDRESS, area->end);
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_PAGES_NUMBER,
                       num_pages < INT32_MAX ? num_pages : INT32_MAX);
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_MATCHING_HASHES, place);
    return DOCA_SUCCESS;
}

/* Make a pass over the executable areas: count up to `limit` of them and the bytes of their paths,
 * or add them when there is a snapshot. `name`: name of the process, a string of the snapshot. */
static doca_error_t doca_priv_apsh_attest_pass(struct doca_priv_apsh_attest *attest,
                                               uint32_t limit, const char *name, uint32_t *num,
                                               size_t *path_bytes)
{
    struct doca_priv_apsh_list *list = &attest->list;
    const uint32_t num_areas = DOCA_PRIV_APSH_LIMIT(list->system, DOCA_APSH_VADS_LIMIT);
    struct doca_priv_apsh_areas areas;
    struct doca_priv_apsh_area area;
    doca_error_t rc = doca_priv_apsh_areas_begin(&areas, list->kernel, attest->mm);
    uint32_t i;

    *num = 0;
    *path_bytes = 0;
    for (i = 0; i < num_areas && *num < limit && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_areas_next(&areas, &area);
        if (rc != DOCA_SUCCESS || area.at == 0)
            break;
        if ((area.flags & DOCA_PRIV_APSH_AREA_CODE) == 0 ||
            (area.file == 0 && (attest->vdso == 0 || area.start != attest->vdso)))
            continue;
        rc = doca_priv_apsh_attest_path(attest, &area);
        if (rc != DOCA_SUCCESS)
            break;
        ++*num;
        *path_bytes += doca_priv_apsh_path_bytes(&attest->path);
        if (list->snapshot != NULL)
            rc = doca_priv_apsh_attest_add(attest, &area, name);
    }
    return rc;
}

/* Read the list of areas once. */
static doca_error_t doca_priv_apsh_attest_list(struct doca_priv_apsh_list *list)
{
    struct doca_priv_apsh_attest *attest = (struct doca_priv_apsh_attest *)(void *)list;
    const size_t zip_len = strlen(attest->zip_path);
    size_t path_bytes = 0;
    const char *name;
    uint32_t num = 0, again = 0;
    doca_error_t rc = doca_priv_apsh_attest_space(attest);

    if (rc == DOCA_SUCCESS && attest->mm != 0)
        rc = doca_priv_apsh_attest_pass(attest, list->limit, NULL, &num, &path_bytes);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_snapshot_make(list->system, DOCA_PRIV_APSH_ATTESTATIONS, num,
                                          zip_len + 1 + DOCA_PRIV_APSH_COMM_BYTES +
                                              num * (size_t)DOCA_PRIV_APSH_LETTERS + path_bytes,
                                          &list->snapshot);
    if (rc != DOCA_SUCCESS || num == 0)
        return rc;
    (void)doca_priv_apsh_text(list->snapshot, attest->zip_path, zip_len);
    name = (const char *)(uintptr_t)doca_priv_apsh_list_name(list);
    rc = doca_priv_apsh_attest_pass(attest, num, name, &again, &path_bytes);
    return rc == DOCA_SUCCESS && again != num ? DOCA_ERROR_NOT_FOUND : rc;
}

/* ---- comparison ---- */

/* Compare the next `num` pages of an area with the pages of the file in attest->pairs. `num` is at
 * most DOCA_PRIV_APSH_PAIRS. */
static doca_error_t doca_priv_apsh_attest_pairs(struct doca_priv_apsh_attest *attest,
                                                struct doca_priv_apsh_suspect *suspect,
                                                uint32_t num)
{
    struct doca_priv_apsh_kernel *kernel = attest->list.kernel;
    uint64_t addrs[DOCA_PRIV_APSH_PAIRS];
    uint8_t numbers[DOCA_PRIV_APSH_PAIRS];
    uint32_t num_present = 0, num_equal = 0, i;
    unsigned span;
    doca_error_t rc;

    memset(addrs, 0, sizeof(addrs));
    memset(numbers, 0, sizeof(numbers));
    for (i = 0; i < num; i++, suspect->at += DOCA_PRIV_APSH_PAGE) {
        rc = doca_priv_apsh_walk_span(kernel, attest->root, suspect->at, &addrs[num_present],
                                      &span);
        if (rc == DOCA_SUCCESS)
            numbers[num_present++] = (uint8_t)i;
        else if (rc != DOCA_ERROR_NOT_FOUND)
            return rc;
    }
    doca_priv_apsh_mem_fetch(&kernel->mem, addrs, num_present);
    for (i = 0; i < num_present; i++) {
        rc = doca_priv_apsh_mem_read(&kernel->mem, addrs[i],
                                     attest->pairs.pages[2 * numbers[i] + 1], DOCA_PRIV_APSH_PAGE);
        if (rc != DOCA_SUCCESS && rc != DOCA_ERROR_NOT_FOUND)
            return rc;
        attest->pairs.is_whole[numbers[i]] = rc == DOCA_SUCCESS;
    }
    if (!doca_priv_apsh_pairs_compare(&attest->pairs, numbers, num_present, &num_equal)) {
        attest->cannot_hash = true;
        return DOCA_ERROR_IO_FAILED;
    }
    suspect->num_present += num_present;
    suspect->num_equal += num_equal;
    return DOCA_SUCCESS;
}

/* Count the pages in memory from suspect->at to the end of the area. */
static doca_error_t doca_priv_apsh_attest_count(struct doca_priv_apsh_attest *attest,
                                                struct doca_priv_apsh_suspect *suspect)
{
    uint64_t physical = 0, last;
    unsigned span = 0;
    doca_error_t rc;

    while (suspect->at < suspect->end) {
        rc = doca_priv_apsh_walk_span(attest->list.kernel, attest->root, suspect->at, &physical,
                                      &span);
        if (rc != DOCA_SUCCESS && rc != DOCA_ERROR_NOT_FOUND)
            return rc;
        last = suspect->at | (((uint64_t)1 << span) - 1);
        last = last < suspect->end ? last : suspect->end - 1;
        if (rc == DOCA_SUCCESS)
            suspect->num_present += (last - suspect->at) / DOCA_PRIV_APSH_PAGE + 1;
        suspect->at = last + 1;
    }
    return DOCA_SUCCESS;
}

/* Compare an area with the member that attest->inflate unpacks. The member is read to its end, so
 * that its checksum is checked. When the member is malformed, attest->zip has the reason. */
static doca_error_t doca_priv_apsh_attest_member(struct doca_priv_apsh_attest *attest,
                                                 struct doca_priv_apsh_suspect *suspect)
{
    const size_t skipped = suspect->place < SIZE_MAX / DOCA_PRIV_APSH_PAGE
                               ? (size_t)suspect->place * DOCA_PRIV_APSH_PAGE
                               : SIZE_MAX;
    uint64_t left = (suspect->end - suspect->at) / DOCA_PRIV_APSH_PAGE;
    doca_error_t rc = DOCA_SUCCESS;
    size_t got = doca_priv_apsh_inflate_read(&attest->inflate, NULL, skipped);
    unsigned char *page;
    uint32_t num;

    got = got == skipped ? DOCA_PRIV_APSH_PAGE : 0; /* bytes of the latest page */
    while (left > 0 && got == DOCA_PRIV_APSH_PAGE && rc == DOCA_SUCCESS) {
        for (num = 0; num < DOCA_PRIV_APSH_PAIRS && num < left && got == DOCA_PRIV_APSH_PAGE;) {
            page = attest->pairs.pages[2 * num];
            got = doca_priv_apsh_inflate_read(&attest->inflate, page, DOCA_PRIV_APSH_PAGE);
            memset(page + got, 0, DOCA_PRIV_APSH_PAGE - got);
            num += got > 0;
        }
        left -= num;
        if (attest->zip.file.reason != NULL)
            return DOCA_SUCCESS;
        rc = doca_priv_apsh_attest_pairs(attest, suspect, num);
    }
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_attest_count(attest, suspect);
    if (rc == DOCA_SUCCESS)
        (void)doca_priv_apsh_inflate_read(&attest->inflate, NULL, SIZE_MAX);
    return rc;
}

/* Return the name under which the zip file has the copy of a file. The name is empty when the
 * beginning of the path was cut off within the name. */
static const char *doca_priv_apsh_attest_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (strcmp(path, DOCA_PRIV_APSH_VDSO) == 0)
        return DOCA_PRIV_APSH_VDSO_COPY;
    return slash != NULL ? slash + 1 : "";
}

/* Compare an area with each member that has the name of its file. The member with the most matching
 * pages counts. */
static doca_error_t doca_priv_apsh_attest_area(struct doca_priv_apsh_attest *attest,
                                               struct doca_priv_apsh_element *element)
{
    const struct doca_priv_apsh_suspect whole = {
        (uintptr_t)doca_priv_apsh_get(element, DOCA_PRIV_APSH_ATTESTATIONS,
                                      DOCA_APSH_ATTESTATION_START_ADDRESS, NULL),
        (uintptr_t)doca_priv_apsh_get(element, DOCA_PRIV_APSH_ATTESTATIONS,
                                      DOCA_APSH_ATTESTATION_END_ADDRESS, NULL),
        (uintptr_t)doca_priv_apsh_get(element, DOCA_PRIV_APSH_ATTESTATIONS,
                                      DOCA_APSH_ATTESTATION_MATCHING_HASHES, NULL),
        0, 0
    };
    const char *name = doca_priv_apsh_attest_name((const char *)doca_priv_apsh_get(
        element, DOCA_PRIV_APSH_ATTESTATIONS, DOCA_APSH_ATTESTATION_PATH_OF_MEMORY_AREA, NULL));
    struct doca_priv_apsh_suspect best = whole, suspect;
    bool has_data = false;
    doca_error_t rc = DOCA_SUCCESS;

    doca_priv_apsh_zip_rewind(&attest->zip);
    while (rc == DOCA_SUCCESS && doca_priv_apsh_zip_next(&attest->zip, &attest->member)) {
        if (attest->member.name_len == 0 || attest->member.name_len != strlen(name) ||
            memcmp(attest->member.name, name, attest->member.name_len) != 0)
            continue;
        if (!doca_priv_apsh_zip_unpack(&attest->zip, &attest->member, &attest->inflate,
                                       &attest->unpack))
            break;
        suspect = whole;
        rc = doca_priv_apsh_attest_member(attest, &suspect);
        if (!has_data || suspect.num_equal > best.num_equal)
            best = suspect;
        has_data = true;
    }
    if (rc == DOCA_SUCCESS && !has_data)
        rc = doca_priv_apsh_attest_count(attest, &best);
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_PAGES_PRESENT,
                       best.num_present < INT32_MAX ? best.num_present : INT32_MAX);
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_MATCHING_HASHES,
                       best.num_equal < INT32_MAX ? best.num_equal : INT32_MAX);
    doca_priv_apsh_set(element, DOCA_APSH_ATTESTATION_HASH_DATA_IS_PRESENT, has_data);
    return rc;
}

/* Check that the process still exists, and has the same address space. */
static doca_error_t doca_priv_apsh_attest_check(struct doca_priv_apsh_attest *attest)
{
    return doca_priv_apsh_space_check(&attest->list, attest->mm);
}

/* Compare all areas of the snapshot. */
static doca_error_t doca_priv_apsh_attest_areas(struct doca_priv_apsh_attest *attest,
                                                const char *function)
{
    struct doca_priv_apsh_list *list = &attest->list;
    doca_error_t rc = doca_priv_apsh_pairs_open(&attest->pairs, list->system->arena,
                                                list->system->ctx->dma_dev);
    uint32_t i;

    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_apsh_mem_begin(&list->kernel->mem, DOCA_CORE_APSH_LIST_READS(list->limit));
    doca_priv_apsh_mem_by_page(&list->kernel->mem); /* physical addresses of a process's pages are
                                                     * scattered */
    for (i = 0; i < list->snapshot->num && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_attest_area(attest, doca_priv_apsh_snapshot_at(list->snapshot, i));
        if (rc == DOCA_SUCCESS && attest->zip.file.reason != NULL)
            break;
    }
    if (rc == DOCA_SUCCESS && attest->zip.file.reason == NULL)
        rc = doca_priv_apsh_attest_check(attest);
    doca_priv_apsh_pairs_close(&attest->pairs);
    if (attest->cannot_hash)
        return DOCA_PRIV_APSH_FAIL(IO_FAILED, APSH_HASHING, function);
    if (rc == DOCA_SUCCESS && attest->zip.file.reason != NULL)
        return doca_priv_apsh_file_fail(&attest->zip.file, DOCA_CORE_ITEM_APSH_COPIES, function);
    return doca_priv_apsh_list_fail(list, rc, function);
}

/* ---- calls ---- */

/* Make the list. `attest` is the state of the call. */
static doca_error_t doca_priv_apsh_attest_make(struct doca_priv_apsh_attest *attest,
                                               const char *function)
{
    struct doca_priv_apsh_list *list = &attest->list;
    doca_error_t rc = DOCA_SUCCESS;

    attest->read = DOCA_CORE_APSH_FILE_BYTES;
    attest->unpack = DOCA_CORE_APSH_UNPACK_BYTES;
    attest->cannot_hash = false;
    if (!doca_priv_apsh_zip_open(&attest->zip, attest->zip_path, &attest->read))
        rc = doca_priv_apsh_file_fail(&attest->zip.file, DOCA_CORE_ITEM_APSH_COPIES, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_list_read(list, doca_priv_apsh_attest_list, function);
    if (rc == DOCA_SUCCESS && list->snapshot->num > 0)
        rc = doca_priv_apsh_attest_areas(attest, function);
    doca_priv_apsh_json_close(&attest->zip.file);
    if (rc != DOCA_SUCCESS && list->snapshot != NULL) {
        doca_priv_apsh_snapshot_end(list->snapshot);
        list->snapshot = NULL;
    }
    return rc;
}

/* Attest a process by the zip file at `path`. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_attest(const struct doca_apsh_process *process,
                                                  const char *path,
                                                  struct doca_priv_apsh_snapshot **snapshot,
                                                  const char *function)
{
    const struct doca_priv_apsh_element *element =
        (const struct doca_priv_apsh_element *)(const void *)process;
    struct doca_core_arena *arena = element->snapshot->system->arena;
    struct doca_priv_apsh_attest *attest;
    void *block = NULL;
    doca_error_t rc =
        doca_priv_apsh_attest_need(element->snapshot->system->kernel, function);

    if (rc == DOCA_SUCCESS)
        rc = doca_core_arena_take(arena, DOCA_PRIV_APSH_ATTEST_BYTES, &block);
    if (rc != DOCA_SUCCESS)
        return rc;
    attest = (struct doca_priv_apsh_attest *)block;
    doca_priv_apsh_list_begin(&attest->list, NULL, process, DOCA_APSH_HASHTEST_LIMIT);
    attest->list.budget = DOCA_CORE_APSH_LIST_READS(
        (uint64_t)attest->list.limit +
        DOCA_PRIV_APSH_LIMIT(attest->list.system, DOCA_APSH_VADS_LIMIT));
    attest->task = element->at;
    attest->zip_path = path;
    rc = doca_priv_apsh_attest_make(attest, function);
    *snapshot = attest->list.snapshot;
    (void)doca_core_arena_give(arena, block);
    return rc;
}

/* Repeat the attestation from a list that is not empty. A temporary element stands in for the
 * element of the process: it has the address and the attributes that the list contains. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_attest_again(struct doca_priv_apsh_snapshot *old,
                                                        struct doca_priv_apsh_snapshot **snapshot,
                                                        const char *function)
{
    const struct doca_priv_apsh_element *first = doca_priv_apsh_snapshot_at(old, 0);
    struct {
        struct doca_priv_apsh_element element;
        uintptr_t values[DOCA_PRIV_APSH_MAX_ATTRS];
    } process;

    memset(&process, 0, sizeof(process));
    process.element.guard = DOCA_PRIV_APSH_ELEMENT | DOCA_PRIV_APSH_PROCESSES;
    process.element.snapshot = old;
    process.element.at = first->at;
    doca_priv_apsh_set(&process.element, DOCA_APSH_PROCESS_PID,
                       (uintptr_t)doca_priv_apsh_get(first, DOCA_PRIV_APSH_ATTESTATIONS,
                                                     DOCA_APSH_ATTESTATION_PID, function));
    doca_priv_apsh_set(&process.element, DOCA_APSH_PROCESS_COMM,
                       (uintptr_t)doca_priv_apsh_get(first, DOCA_PRIV_APSH_ATTESTATIONS,
                                                     DOCA_APSH_ATTESTATION_COMM, function));
    return doca_priv_apsh_attest(
        (const struct doca_apsh_process *)(const void *)&process.element,
        doca_priv_apsh_first_text(old), snapshot, function);
}

/* part: src/compat/apsh/rules.c */
/* ---- >>impl.apsh.rules -----------------------------------------------------------------------
 * The rules of scans, and the calls of libyara. The texts of the rules are this project's own: the
 * vendor does not publish its rules. libyara counts its initializations without a lock, so this
 * file holds a mutex when it initializes or finalizes libyara.                                  */

#ifdef DOCA_CORE_APSH_YARA

/* Name and text of each rule, in the order of enum doca_apsh_yara_rule. */
static const struct {
    const char *name, *text;
} doca_priv_apsh_rule_texts[DOCA_PRIV_APSH_RULES] = {
    { "Hello_World", "rule Hello_World {"
                     " strings: $text = \"Hello World\" ascii wide"
                     " condition: $text }" },
    { "Reflective_Dll_Injection", "rule Reflective_Dll_Injection {"
                                  " strings: $export = \"ReflectiveLoader\" ascii"
                                  " condition: $export }" },
    { "Mimikatz", "rule Mimikatz {"
                  " strings:"
                  " $author = \"gentilkiwi\" ascii wide nocase"
                  " $logon = \"sekurlsa::\" ascii wide nocase"
                  " $dump = \"lsadump::\" ascii wide nocase"
                  " $debug = \"privilege::debug\" ascii wide nocase"
                  " $name = \"mimikatz\" ascii wide nocase"
                  " $module = \"sekurlsa\" ascii wide nocase"
                  " $source = \"kuhl_m_\" ascii wide"
                  " condition: $author or $logon or $dump or $debug or"
                  " ($name and ($module or $source)) }" },
};

static pthread_mutex_t doca_priv_apsh_rules_mutex = PTHREAD_MUTEX_INITIALIZER;

DOCA_PRIV_DECL const char *doca_priv_apsh_rules_name(uint32_t rule)
{
    return doca_priv_apsh_rule_texts[rule].name;
}

/* Report an error of libyara. */
static doca_error_t doca_priv_apsh_rules_fail(int error, const char *step, const char *function)
{
    struct doca_core_refusal why;

    memset(&why, 0, sizeof(why));
    why.step = step;
    if (error != ERROR_INSUFFICIENT_MEMORY)
        return doca_core_backend_refuse(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_YARA,
                                        function, NULL, &why);
    why.hint = "the heap, from which libyara takes its memory, is exhausted";
    return doca_core_backend_refuse(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_APSH_YARA, function, NULL,
                                    &why);
}

/* Initialize or finalize libyara. Returns its error. */
static int doca_priv_apsh_rules_use(bool is_begin)
{
    int error;

    (void)pthread_mutex_lock(&doca_priv_apsh_rules_mutex);
    error = is_begin ? yr_initialize() : yr_finalize();
    (void)pthread_mutex_unlock(&doca_priv_apsh_rules_mutex);
    return error;
}

/* libyara calls this for each rule that matches. */
static int doca_priv_apsh_rules_match(YR_SCAN_CONTEXT *context, int message, void *data,
                                      void *user)
{
    struct doca_priv_apsh_rules *rules = (struct doca_priv_apsh_rules *)user;
    uint32_t i;

    (void)context;
    if (message != CALLBACK_MSG_RULE_MATCHING)
        return CALLBACK_CONTINUE;
    for (i = 0; i < DOCA_PRIV_APSH_RULES; i++)
        if (strcmp(((const YR_RULE *)data)->identifier, doca_priv_apsh_rules_name(i)) == 0)
            rules->found |= 1u << i;
    return CALLBACK_CONTINUE;
}

/* Compile the wanted rules. */
static int doca_priv_apsh_rules_compile(struct doca_priv_apsh_rules *rules, uint32_t wanted)
{
    YR_COMPILER *compiler = NULL;
    int error = yr_compiler_create(&compiler);
    uint32_t i;

    if (error != ERROR_SUCCESS)
        return error;
    for (i = 0; i < DOCA_PRIV_APSH_RULES && error == ERROR_SUCCESS; i++)
        if ((wanted & 1u << i) != 0 &&
            yr_compiler_add_string(compiler, doca_priv_apsh_rule_texts[i].text, NULL) != 0)
            error = compiler->last_error;
    if (error == ERROR_SUCCESS)
        error = yr_compiler_get_rules(compiler, &rules->rules);
    yr_compiler_destroy(compiler);
    return error;
}

/* Initialize libyara, compile a set of rules, and make a scanner. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_rules_open(struct doca_priv_apsh_rules *rules,
                                                      uint32_t wanted, const char *function)
{
    int error;

    memset(rules, 0, sizeof(*rules));
    error = doca_priv_apsh_rules_use(true);
    if (error != ERROR_SUCCESS)
        return doca_priv_apsh_rules_fail(error, "initialize libyara", function);
    rules->is_open = true;
    error = doca_priv_apsh_rules_compile(rules, wanted);
    if (error == ERROR_SUCCESS)
        error = yr_scanner_create(rules->rules, &rules->scanner);
    if (error != ERROR_SUCCESS) {
        doca_priv_apsh_rules_close(rules);
        return doca_priv_apsh_rules_fail(error, "compile the rules", function);
    }
    /* The bytes are memory of this program, so libyara needs no handler for bus errors. */
    yr_scanner_set_flags(rules->scanner, SCAN_FLAGS_REPORT_RULES_MATCHING | SCAN_FLAGS_FAST_MODE |
                                             SCAN_FLAGS_NO_TRYCATCH);
    yr_scanner_set_callback(rules->scanner, doca_priv_apsh_rules_match, rules);
    return DOCA_SUCCESS;
}

/* Set rules->found to the rules that match `len` bytes. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_rules_apply(struct doca_priv_apsh_rules *rules,
                                                       const unsigned char *bytes, size_t len,
                                                       const char *function)
{
    int error;

    rules->found = 0;
    error = yr_scanner_scan_mem(rules->scanner, bytes, len);
    return error == ERROR_SUCCESS ? DOCA_SUCCESS
                                  : doca_priv_apsh_rules_fail(error, "scan a window", function);
}

DOCA_PRIV_DECL void doca_priv_apsh_rules_close(struct doca_priv_apsh_rules *rules)
{
    if (rules->scanner != NULL)
        yr_scanner_destroy(rules->scanner);
    if (rules->rules != NULL)
        (void)yr_rules_destroy(rules->rules);
    if (rules->is_open)
        (void)doca_priv_apsh_rules_use(false);
    memset(rules, 0, sizeof(*rules));
}

#endif

/* part: src/compat/apsh/scan.c */
/* ---- >>impl.apsh.scan ------------------------------------------------------------------------
 * Scans of the memory of a process by rules. First the areas to scan are collected, in the same way
 * as other lists are read. Then each area is copied to a window, which moves by the step of the
 * system, and the rules are applied to the window; pages that are not in memory are zeros in the
 * window. Ranges without a page in memory are skipped by means of the page tables. At the end the
 * process must still have the same address space.                                               */

#ifdef DOCA_CORE_APSH_YARA

#define DOCA_PRIV_APSH_AHEAD 16u /* pages that are read ahead in one batch */

struct doca_priv_apsh_stretch { /* a range of addresses to scan */
    uint64_t start, end;
};

struct doca_priv_apsh_match {
    uint64_t at;  /* address of the window */
    uint32_t len; /* bytes */
    uint32_t rule;
};

/* Matches are collected in chunks, because their number is known at the end only. */
struct doca_priv_apsh_chunk {
    struct doca_priv_apsh_chunk *next;
    uint32_t num;
    struct doca_priv_apsh_match matches[DOCA_PRIV_APSH_CHUNK];
};

struct doca_priv_apsh_scan_state {
    struct doca_priv_apsh_list list; /* must be the first member */
    uint64_t mm;   /* address of the address space; 0: a thread of the kernel */
    uint64_t root; /* physical address of the page directory */
    struct doca_priv_apsh_rules rules;
    const char *function;
    uint64_t scan_type;
    struct doca_priv_apsh_stretch *stretches; /* a block of the arena, or NULL */
    uint32_t num_stretches;
    struct doca_priv_apsh_chunk *first, *last; /* blocks; NULL before the first match */
    uint32_t num_matches;
    unsigned char *window; /* a block */
    uint64_t left;         /* bytes to which the rules may still be applied */
    uint64_t ahead;        /* pages of the stretch below this address were read ahead */
};

DOCA_PRIV_APSH_ASSERT(stretch_has_its_size,
                      sizeof(struct doca_priv_apsh_stretch) == DOCA_PRIV_APSH_STRETCH_BYTES)
DOCA_PRIV_APSH_ASSERT(chunk_has_its_size,
                      sizeof(struct doca_priv_apsh_chunk) == DOCA_PRIV_APSH_CHUNK_BYTES)
DOCA_PRIV_APSH_ASSERT(match_has_its_size,
                      sizeof(void *) + sizeof(struct doca_priv_apsh_element) +
                              5 * sizeof(uintptr_t) ==
                          DOCA_PRIV_APSH_MATCH_BYTES)

/* ---- the areas ---- */

/* True when the scan type includes this area. */
static bool doca_priv_apsh_scan_wants(const struct doca_priv_apsh_scan_state *scan,
                                      const struct doca_priv_apsh_area *area)
{
    return (scan->scan_type & DOCA_APSH_YARA_SCAN_VMA) != 0 ||
           (area->file == 0 && (area->flags & DOCA_PRIV_APSH_AREA_WRITE) != 0);
}

/* Make a pass over the areas, and count the areas to scan. If there is a block for the areas,
 * collect them; NOT_FOUND: their number is not `max`. */
static doca_error_t doca_priv_apsh_scan_pass(struct doca_priv_apsh_scan_state *scan, uint32_t max,
                                             uint32_t *num)
{
    struct doca_priv_apsh_areas areas;
    struct doca_priv_apsh_area area;
    doca_error_t rc = doca_priv_apsh_areas_begin(&areas, scan->list.kernel, scan->mm);
    uint32_t i;

    *num = 0;
    for (i = 0; i < scan->list.limit && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_areas_next(&areas, &area);
        if (rc != DOCA_SUCCESS || area.at == 0)
            break;
        if (area.end <= area.start || area.end >> DOCA_PRIV_APSH_USER_BITS != 0 ||
            (area.start | area.end) % DOCA_PRIV_APSH_PAGE != 0)
            return DOCA_ERROR_NOT_FOUND;
        if (!doca_priv_apsh_scan_wants(scan, &area))
            continue;
        if (scan->stretches != NULL && *num < max) {
            scan->stretches[*num].start = area.start;
            scan->stretches[*num].end = area.end;
        }
        ++*num;
    }
    return rc == DOCA_SUCCESS && scan->stretches != NULL && *num != max ? DOCA_ERROR_NOT_FOUND
                                                                        : rc;
}

/* Collect the areas to scan. This is one attempt. */
static doca_error_t doca_priv_apsh_scan_areas(struct doca_priv_apsh_list *list)
{
    struct doca_priv_apsh_scan_state *scan = (struct doca_priv_apsh_scan_state *)(void *)list;
    void *block = NULL;
    uint32_t num = 0;
    doca_error_t rc = doca_priv_apsh_space_get(list, &scan->mm, &scan->root);

    doca_priv_apsh_give(list->system->arena, scan->stretches); /* release the block of the previous
                                                                * attempt */
    scan->stretches = NULL;
    scan->num_stretches = 0;
    if (rc != DOCA_SUCCESS || scan->mm == 0)
        return rc;
    rc = doca_priv_apsh_scan_pass(scan, 0, &num);
    if (rc != DOCA_SUCCESS || num == 0)
        return rc;
    rc = doca_core_arena_take(list->system->arena, num * sizeof(*scan->stretches), &block);
    if (rc != DOCA_SUCCESS)
        return rc;
    scan->stretches = (struct doca_priv_apsh_stretch *)block;
    scan->num_stretches = num;
    return doca_priv_apsh_scan_pass(scan, num, &num);
}

/* ---- windows ---- */

/* Add a match. */
static doca_error_t doca_priv_apsh_scan_add(struct doca_priv_apsh_scan_state *scan, uint64_t at,
                                            size_t len, uint32_t rule)
{
    struct doca_priv_apsh_chunk *chunk = scan->last;
    struct doca_priv_apsh_match *match;
    void *block = NULL;
    doca_error_t rc;

    if (chunk == NULL || chunk->num == DOCA_PRIV_APSH_CHUNK) {
        rc = doca_core_arena_take(scan->list.system->arena, sizeof(*chunk), &block);
        if (rc != DOCA_SUCCESS)
            return rc;
        chunk = (struct doca_priv_apsh_chunk *)block;
        chunk->next = NULL;
        chunk->num = 0;
        if (scan->last != NULL)
            scan->last->next = chunk;
        else
            scan->first = chunk;
        scan->last = chunk;
    }
    match = &chunk->matches[chunk->num++];
    match->at = at;
    match->len = (uint32_t)len;
    match->rule = rule;
    scan->num_matches++;
    return DOCA_SUCCESS;
}

/* Set *present to the first address at or after `at` whose page is in memory, or to `end`. */
static doca_error_t doca_priv_apsh_scan_skip(struct doca_priv_apsh_scan_state *scan, uint64_t at,
                                             uint64_t end, uint64_t *present)
{
    struct doca_priv_apsh_kernel *kernel = scan->list.kernel;
    doca_error_t rc = DOCA_ERROR_NOT_FOUND;
    uint64_t physical = 0;
    unsigned span = 0;

    while (at < end && rc == DOCA_ERROR_NOT_FOUND) {
        rc = doca_priv_apsh_walk_span(kernel, scan->root, at, &physical, &span);
        if (rc == DOCA_SUCCESS && !doca_priv_apsh_mem_has(&kernel->mem, physical, 1)) {
            rc = DOCA_ERROR_NOT_FOUND; /* for example, memory of a device */
            span = 12;
        }
        if (rc == DOCA_ERROR_NOT_FOUND)
            at = (at | (((uint64_t)1 << span) - 1)) + 1;
    }
    *present = at < end ? at : end;
    return rc == DOCA_ERROR_NOT_FOUND ? DOCA_SUCCESS : rc;
}

/* Read pages of a stretch ahead in one batch, from `page` on. */
static void doca_priv_apsh_scan_fetch(struct doca_priv_apsh_scan_state *scan, uint64_t page,
                                      uint64_t end)
{
    uint64_t addrs[DOCA_PRIV_APSH_AHEAD];
    uint32_t num = 0, i;

    for (i = 0; i < DOCA_PRIV_APSH_AHEAD && page < end; i++, page += DOCA_PRIV_APSH_PAGE)
        if (doca_priv_apsh_walk(scan->list.kernel, scan->root, page, &addrs[num]) ==
            DOCA_SUCCESS)
            num++;
    scan->ahead = page;
    doca_priv_apsh_mem_fetch(&scan->list.kernel->mem, addrs, num);
}

/* Copy `len` bytes from `at` on to the window. The stretch ends at `end`. */
static doca_error_t doca_priv_apsh_scan_copy(struct doca_priv_apsh_scan_state *scan, uint64_t at,
                                             size_t len, uint64_t end)
{
    unsigned char *to = scan->window;
    doca_error_t rc = DOCA_SUCCESS;
    size_t n;

    for (; len > 0 && rc == DOCA_SUCCESS; at += n, to += n, len -= n) {
        n = DOCA_PRIV_APSH_PAGE - (size_t)(at % DOCA_PRIV_APSH_PAGE);
        n = n < len ? n : len;
        if (at >= scan->ahead)
            doca_priv_apsh_scan_fetch(scan, at - at % DOCA_PRIV_APSH_PAGE, end);
        rc = doca_priv_apsh_space_read(&scan->list, scan->root, at, to, n);
        if (rc == DOCA_ERROR_NOT_FOUND) {
            memset(to, 0, n);
            rc = DOCA_SUCCESS;
        }
    }
    return rc;
}

/* Scan the window of `len` bytes at `at`. */
static doca_error_t doca_priv_apsh_scan_window(struct doca_priv_apsh_scan_state *scan, uint64_t at,
                                               size_t len, uint64_t end)
{
    doca_error_t rc;
    uint32_t i;

    if (scan->left < len) {
        scan->list.kernel->mem.budget = 0;
        return doca_priv_apsh_list_fail(&scan->list, DOCA_ERROR_IO_FAILED, scan->function);
    }
    scan->left -= len;
    rc = doca_priv_apsh_scan_copy(scan, at, len, end);
    if (rc != DOCA_SUCCESS)
        return doca_priv_apsh_list_fail(&scan->list, rc, scan->function);
    rc = doca_priv_apsh_rules_apply(&scan->rules, scan->window, len, scan->function);
    for (i = 0; i < DOCA_PRIV_APSH_RULES && rc == DOCA_SUCCESS; i++)
        if ((scan->rules.found & 1u << i) != 0)
            rc = doca_priv_apsh_scan_add(scan, at, len, i);
    return rc;
}

/* Scan a stretch. The last window ends with it. */
static doca_error_t doca_priv_apsh_scan_stretch(struct doca_priv_apsh_scan_state *scan,
                                                struct doca_priv_apsh_stretch stretch)
{
    const uint32_t size = scan->list.system->set.window_size;
    const uint32_t step = scan->list.system->set.window_step;
    uint64_t at = stretch.start, present = 0;
    doca_error_t rc = DOCA_SUCCESS;
    bool is_last = false;
    size_t len;

    scan->ahead = at;
    while (!is_last && rc == DOCA_SUCCESS) {
        rc = doca_priv_apsh_scan_skip(scan, at, stretch.end, &present);
        if (rc != DOCA_SUCCESS)
            return doca_priv_apsh_list_fail(&scan->list, rc, scan->function);
        if (present == stretch.end)
            break;
        if (present - at >= size) /* the first window that contains a part of the page */
            at += ((present - at - size) / step + 1) * step;
        is_last = stretch.end - at <= size;
        len = is_last ? (size_t)(stretch.end - at) : size;
        rc = doca_priv_apsh_scan_window(scan, at, len, stretch.end);
        at += step;
    }
    return rc;
}

/* Scan all stretches. */
static doca_error_t doca_priv_apsh_scan_all(struct doca_priv_apsh_scan_state *scan)
{
    doca_error_t rc = DOCA_SUCCESS;
    uint32_t i;

    scan->left = DOCA_CORE_APSH_SCAN_BYTES;
    doca_priv_apsh_mem_begin(&scan->list.kernel->mem, DOCA_CORE_APSH_SCAN_READS);
    for (i = 0; i < scan->num_stretches && rc == DOCA_SUCCESS; i++)
        rc = doca_priv_apsh_scan_stretch(scan, scan->stretches[i]);
    if (rc != DOCA_SUCCESS)
        return rc;
    return doca_priv_apsh_list_fail(&scan->list,
                                    doca_priv_apsh_space_check(&scan->list, scan->mm),
                                    scan->function);
}

/* ---- calls ---- */

/* Make the list of the matches. */
static doca_error_t doca_priv_apsh_scan_list(struct doca_priv_apsh_scan_state *scan)
{
    struct doca_priv_apsh_list *list = &scan->list;
    const struct doca_priv_apsh_chunk *chunk;
    struct doca_priv_apsh_element *element;
    uint64_t name;
    uint32_t i;
    doca_error_t rc =
        doca_priv_apsh_snapshot_make(list->system, DOCA_PRIV_APSH_MATCHES, scan->num_matches,
                                     DOCA_PRIV_APSH_COMM_BYTES, &list->snapshot);

    if (rc != DOCA_SUCCESS)
        return rc;
    name = doca_priv_apsh_list_name(list);
    for (chunk = scan->first; chunk != NULL; chunk = chunk->next)
        for (i = 0; i < chunk->num; i++) {
            const struct doca_priv_apsh_match *match = &chunk->matches[i];

            element = doca_priv_apsh_snapshot_add(list->snapshot, match->at);
            doca_priv_apsh_set(element, DOCA_APSH_YARA_PID,
                               doca_priv_apsh_list_value(list, DOCA_APSH_PROCESS_PID));
            doca_priv_apsh_set(element, DOCA_APSH_YARA_COMM, name);
            doca_priv_apsh_set(element, DOCA_APSH_YARA_RULE,
                               (uintptr_t)doca_priv_apsh_rules_name(match->rule));
            doca_priv_apsh_set(element, DOCA_APSH_YARA_MATCH_WINDOW_ADDR, match->at);
            doca_priv_apsh_set(element, DOCA_APSH_YARA_MATCH_WINDOW_LEN, match->len);
        }
    return DOCA_SUCCESS;
}

/* Make a scan, with memory of the arena. `scan` is the state of the call. */
static doca_error_t doca_priv_apsh_scan_make(struct doca_priv_apsh_scan_state *scan,
                                             uint32_t wanted)
{
    struct doca_apsh_system *system = scan->list.system;
    struct doca_core_arena *arena = system->arena;
    struct doca_priv_apsh_chunk *next;
    void *block = NULL;
    doca_error_t rc =
        doca_priv_apsh_list_read(&scan->list, doca_priv_apsh_scan_areas, scan->function);
    const bool has_areas = rc == DOCA_SUCCESS && scan->num_stretches > 0;

    if (has_areas)
        rc = doca_core_arena_take(arena, system->set.window_size, &block);
    scan->window = (unsigned char *)block;
    if (has_areas && rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_rules_open(&scan->rules, wanted, scan->function);
    if (has_areas && rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_scan_all(scan);
    doca_priv_apsh_rules_close(&scan->rules);
    doca_priv_apsh_give(arena, scan->window);
    doca_priv_apsh_give(arena, scan->stretches);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_scan_list(scan);
    for (; scan->first != NULL; scan->first = next) {
        next = scan->first->next;
        (void)doca_core_arena_give(arena, scan->first);
    }
    return rc;
}

/* Check the array of rules that the program passed, and make a set of these rules. */
static doca_error_t doca_priv_apsh_scan_rules(enum doca_apsh_yara_rule *const *rules, uint32_t num,
                                              uint32_t *wanted, const char *function)
{
    uint32_t i;

    *wanted = 0;
    if (num == 0)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, ZERO, function);
    for (i = 0; i < num; i++) {
        if (rules[i] == NULL)
            return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, function);
        if ((uint32_t)*rules[i] >= DOCA_PRIV_APSH_RULES)
            return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, APSH_VALUE, function);
        *wanted |= 1u << (uint32_t)*rules[i];
    }
    return DOCA_SUCCESS;
}

/* Scan the memory of a process. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_yara(const struct doca_apsh_process *process,
                                                enum doca_apsh_yara_rule *const *rules,
                                                uint32_t num_rules, uint64_t scan_type,
                                                struct doca_priv_apsh_snapshot **snapshot,
                                                const char *function)
{
    const uint64_t types = DOCA_APSH_YARA_SCAN_VMA | DOCA_APSH_YARA_SCAN_HEAP;
    struct doca_priv_apsh_scan_state scan;
    uint32_t wanted = 0;
    doca_error_t rc = doca_priv_apsh_scan_rules(rules, num_rules, &wanted, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (scan_type == 0 || (scan_type & ~types) != 0)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, APSH_VALUE, function);
    memset(&scan, 0, sizeof(scan));
    doca_priv_apsh_list_begin(&scan.list, NULL, process, DOCA_APSH_VADS_LIMIT);
    scan.function = function;
    scan.scan_type = scan_type;
    rc = doca_priv_apsh_areas_need(scan.list.kernel, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_space_need(scan.list.kernel, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_scan_make(&scan, wanted);
    *snapshot = scan.list.snapshot;
    return rc;
}

#else

/* Without libyara, scans are not supported. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_yara(const struct doca_apsh_process *process,
                                                enum doca_apsh_yara_rule *const *rules,
                                                uint32_t num_rules, uint64_t scan_type,
                                                struct doca_priv_apsh_snapshot **snapshot,
                                                const char *function)
{
    (void)process;
    (void)rules;
    (void)num_rules;
    (void)scan_type;
    (void)snapshot;
    return DOCA_PRIV_APSH_FAIL(NOT_SUPPORTED, APSH_NO_YARA, function);
}

#endif

/* part: src/compat/apsh/ctx.c */
/* ---- >>impl.apsh.ctx -------------------------------------------------------------------------
 * Create, start and destroy a context.                                                          */

DOCA_CORE_DECL struct doca_apsh_ctx *doca_core_apsh_create_in(struct doca_core_arena *arena)
{
    struct doca_apsh_ctx *ctx;
    void *block = NULL;

    if (doca_priv_apsh_take(arena, sizeof(*ctx), &block) != DOCA_SUCCESS)
        return NULL;
    ctx = (struct doca_apsh_ctx *)block;
    ctx->guard = DOCA_PRIV_APSH_CTX;
    ctx->num_users = 1;
    ctx->arena = arena;
    return ctx;
}

DOCA_CORE_DECL struct doca_apsh_ctx *doca_apsh_create(void)
{
    return doca_core_apsh_create_in(doca_core_arena_bound());
}

DOCA_CORE_DECL void doca_apsh_destroy(struct doca_apsh_ctx *ctx)
{
    if (ctx == NULL)
        return;
    if (!doca_priv_apsh_is_ctx(ctx)) {
        (void)DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, __func__);
        return;
    }
    ctx->guard = 0;
    doca_priv_apsh_ctx_drop(ctx);
}

DOCA_CORE_DECL doca_error_t doca_apsh_dma_dev_set(struct doca_apsh_ctx *ctx,
                                                  struct doca_dev *dma_dev)
{
    doca_error_t rc = doca_priv_apsh_ctx_check(ctx, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (dma_dev == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    if (!doca_core_backend_is_dev(dma_dev, __func__))
        return DOCA_ERROR_INVALID_VALUE;
    ctx->dma_dev = dma_dev;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_apsh_start(struct doca_apsh_ctx *ctx)
{
    doca_error_t rc = doca_priv_apsh_ctx_check(ctx, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (ctx->dma_dev == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, APSH_NO_DEV, __func__);
    if (doca_dma_cap_task_memcpy_is_supported(doca_dev_as_devinfo(ctx->dma_dev)) != DOCA_SUCCESS)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEV_NO_DMA, __func__);
    ctx->is_started = true;
    return DOCA_SUCCESS;
}

/* part: src/compat/apsh/settings.c */
/* ---- >>impl.apsh.settings --------------------------------------------------------------------
 * The setters of a system, and doca_apsh_sys_config().                                          */

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

/* part: src/compat/apsh/system.c */
/* ---- >>impl.apsh.system ----------------------------------------------------------------------
 * Create, start and destroy a system.                                                           */

DOCA_PRIV_APSH_ASSERT(kernel_has_its_size,
                      sizeof(struct doca_priv_apsh_kernel) <= DOCA_PRIV_APSH_KERNEL_BYTES)

/* Set the initial settings of a system. */
static void doca_priv_apsh_settings_init(struct doca_priv_apsh_settings *set)
{
    int i;

    for (i = 0; i < DOCA_PRIV_APSH_LIMITS; i++)
        set->limits[i] = DOCA_CORE_APSH_LIST_LIMIT;
    set->limits[DOCA_APSH_STRING_LIMIT - DOCA_APSH_HASHTEST_LIMIT] = DOCA_CORE_APSH_STRING_LIMIT;
    set->window_size = 4096;
    set->window_step = 4096;
}

DOCA_CORE_DECL struct doca_apsh_system *doca_apsh_system_create(struct doca_apsh_ctx *ctx)
{
    struct doca_apsh_system *system;
    void *block = NULL;

    if (!doca_priv_apsh_is_ctx(ctx)) {
        (void)DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, __func__);
        return NULL;
    }
    if (doca_priv_apsh_take(ctx->arena, sizeof(*system), &block) != DOCA_SUCCESS)
        return NULL;
    system = (struct doca_apsh_system *)block;
    system->guard = DOCA_PRIV_APSH_SYSTEM;
    system->num_users = 1;
    system->arena = ctx->arena;
    system->ctx = ctx;
    system->num_pages = DOCA_CORE_APSH_CACHE_PAGES;
    doca_priv_apsh_settings_init(&system->set);
    (void)DOCA_PRIV_APSH_ADD(&ctx->num_users, 1u);
    return system;
}

/* Close the memory of the target. */
static void doca_priv_apsh_system_close(struct doca_apsh_system *system)
{
    if (system->kernel != NULL)
        doca_priv_apsh_mem_close(&system->kernel->mem);
    doca_priv_apsh_give(system->arena, system->kernel);
    system->kernel = NULL;
    system->is_started = false;
}

DOCA_CORE_DECL void doca_apsh_system_destroy(struct doca_apsh_system *system)
{
    size_t i;

    if (system == NULL)
        return;
    if (!doca_priv_apsh_is_system(system)) {
        (void)DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, __func__);
        return;
    }
    system->guard = 0;
    doca_priv_apsh_system_close(system);
    for (i = 0; i < sizeof(system->set.files) / sizeof(system->set.files[0]); i++)
        doca_priv_apsh_give(system->arena, system->set.files[i]);
    doca_priv_apsh_ctx_drop(system->ctx);
    doca_priv_apsh_system_drop(system);
}

/* Open the memory of the target, and find its kernel. */
static doca_error_t doca_priv_apsh_system_open(struct doca_apsh_system *system,
                                               const char *function)
{
    void *block = NULL;
    doca_error_t rc = doca_priv_apsh_take(system->arena, DOCA_PRIV_APSH_KERNEL_BYTES, &block);

    if (rc != DOCA_SUCCESS)
        return rc;
    system->kernel = (struct doca_priv_apsh_kernel *)block;
    rc = doca_priv_apsh_mem_open(&system->kernel->mem, system->arena, system->ctx->dma_dev,
                                 system->set.rep, system->num_pages);
    if (rc == DOCA_SUCCESS) {
        doca_priv_apsh_mem_begin(&system->kernel->mem, DOCA_CORE_APSH_START_READS);
        if (system->set.files[DOCA_APSH_MEM_REGION] != NULL)
            rc = doca_priv_apsh_regions_use(&system->kernel->mem,
                                            system->set.files[DOCA_APSH_MEM_REGION], function);
    }
    if (rc == DOCA_SUCCESS) {
        rc = doca_priv_apsh_find(system->kernel, system->set.files, function);
    }
    if (rc != DOCA_SUCCESS)
        doca_priv_apsh_system_close(system);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_apsh_system_start(struct doca_apsh_system *system)
{
    doca_error_t rc = doca_priv_apsh_system_check(system, system, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!system->ctx->is_started)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, APSH_CTX_NOT_STARTED, __func__);
    if (system->set.rep == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, APSH_NO_REP, __func__);
    if (!system->set.has_os)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, APSH_NO_OS, __func__);
    rc = doca_priv_apsh_system_open(system, __func__);
    system->is_started = rc == DOCA_SUCCESS;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_apsh_sys_set_cache(struct doca_apsh_system *system,
                                                         uint32_t num_pages)
{
    doca_error_t rc = doca_priv_apsh_system_check(system, system, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (num_pages < 64 || num_pages % DOCA_PRIV_APSH_WAYS != 0 || num_pages > 1u << 20)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, APSH_CACHE, __func__);
    system->num_pages = num_pages;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_apsh_sys_get_stats(const struct doca_apsh_system *system,
                                                         struct doca_core_apsh_stats *stats)
{
    if (system == NULL || stats == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    if (!doca_priv_apsh_is_system(system))
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, DEAD_HANDLE, __func__);
    if (!system->is_started)
        return DOCA_PRIV_APSH_FAIL(BAD_STATE, APSH_NOT_STARTED, __func__);
    *stats = system->kernel->mem.stats;
    return DOCA_SUCCESS;
}

/* part: src/compat/apsh/list.c */
/* ---- >>impl.apsh.list ------------------------------------------------------------------------
 * The calls that list what runs on a target.                                                    */

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

/* part: src/compat/apsh/windows.c */
/* ---- >>impl.apsh.windows ---------------------------------------------------------------------
 * The calls of 2.5.1 that exist only for Windows.                                               */

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

/* part: src/compat/apsh/info.c */
/* ---- >>impl.apsh.info ------------------------------------------------------------------------
 * The functions behind the macros that read attributes. Lists that exist for Windows only have no
 * elements.                                                                                     */

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

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_APSH_IMPLEMENTATION */

/* ---- >>apsh.system ---------------------------------------------------------------------------
 * Systems. A system represents a target: a machine whose memory the device can read through a
 * representor. The setters must be called before doca_apsh_system_start(); the settings of a
 * started system cannot be changed.
 * Threads: one call at a time for a system, its snapshots and their elements. Calls for different
 * systems may run at the same time.
 * Source: API reference, "DOCA App Shield".                                                     */
#ifndef DOCA_SRC_COMPAT_APSH_SYSTEM_H
#define DOCA_SRC_COMPAT_APSH_SYSTEM_H

#include "compat/apsh/attr.h"
#include "compat/apsh/config.h"

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

#endif

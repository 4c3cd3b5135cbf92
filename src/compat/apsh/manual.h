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
 * amalgamate: contents
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/compat/apsh/. Change the
 * parts.
 */

/* doca_core_apsh.h - the API of App Shield (doca_apsh.h, 2.5.1), for use with doca_core.h
 *
 * App Shield looks into the memory of another machine, the target, and lists what its operating
 * system runs. The program runs on the DPU; a device with a DMA engine reads the target's memory
 * through a representor. The target runs no agent and is not changed: all accesses are reads.
 *
 * THIS HEADER HAS all 61 functions, 16 macros and 19 enums of doca_apsh.h and doca_apsh_attr.h,
 * with the vendor's names, values and signatures. It uses only the public calls of doca_core.h. The
 * calls that exist for Windows only answer NOT_SUPPORTED and log one line.
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
 * doca_apsh_yara_get() scans the memory of a process of Linux by rules of this project; without the
 * macro it is NOT_SUPPORTED. libyara itself uses the heap while the call runs.
 *
 * MEMORY. The code of this header makes no heap call. Contexts, systems and snapshots are blocks of
 * one arena: the bound one, or that of doca_core_apsh_create_in(). A snapshot is one block.
 * DOCA_CORE_BYTES_APSH_... and doca_core_bytes_apsh_... give the sizes. When the arena is exhausted
 * the call returns NO_MEMORY and leaves no block behind.
 *
 * THREADS. One thread at a time uses a system with its snapshots. Threads with different systems
 * may run in parallel, also when the systems have one context.
 *
 * CONSENT. Reading the memory of another machine is a privileged act. Use it on machines of your
 * own, or with the consent of their owner.
 *
 * PLATFORM. The values of attributes are cast to and from pointers, which therefore need 64 bits.
 *
 * ERRORS are reported as in doca_core.h, including doca_core_last_error().
 *
 * DIFFERENCES from the vendor's library
 *   - Targets that run Windows, and calls that exist for Windows only, are NOT_SUPPORTED.
 *   - doca_apsh_envars_get() and doca_apsh_yara_get(), which the vendor has for Windows only, work
 *     for targets that run Linux.
 *   - A symbol map and a region file are optional, since the memory of a Linux target tells both.
 *   - The order in which contexts, systems and snapshots end is free.
 *
 * Assumed, because the vendor's documents do not say: the initial limits; that an attribute that an
 * element does not have is 0 or NULL; that a call for a system that is not started is
 * INITIALIZATION, where the reference does not name BAD_STATE for it; that the attributes OFFSET
 * are addresses of the kernel's structures; that the program's file is one of its libraries; that
 * PAGES_NUMBER of an attestation is the length of the area; that a file without a copy is no error;
 * and that a list that reaches its limit succeeds.
 * Source: API reference, "DOCA App Shield" and "DOCA App Shield Attributes".
 *
 * CONTENTS (search for the tag)
 * amalgamate: contents
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/compat/apsh/. Change the
 * parts.
 */

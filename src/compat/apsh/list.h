/* ---- >>apsh.list -----------------------------------------------------------------------------
 * Lists of a target. A snapshot is an array of pointers to elements, with their number. It is one
 * block of the system's arena. The call with _free releases the block, and with it the elements and
 * all their strings. Only an attestation can be refreshed. An empty list is NULL with the number 0.
 * The _free calls accept NULL.
 * Source: API reference, "DOCA App Shield".                                                     */
#ifndef DOCA_SRC_COMPAT_APSH_LIST_H
#define DOCA_SRC_COMPAT_APSH_LIST_H

#include "compat/apsh/attr.h"
#include "compat/apsh/config.h"

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

#endif

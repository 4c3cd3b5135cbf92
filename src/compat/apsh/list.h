/* ---- >>apsh.list -----------------------------------------------------------------------------
 * Lists of a target. A snapshot is an array of pointers to elements, with their number. It is one
 * block of the system's arena, which the call with _free gives back; the elements and all their
 * strings end with it. Only an attestation can be refreshed. An empty list is NULL with the number
 * 0. The _free calls accept NULL.
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

/* List the processes of a target, without the idle task. UID and GID are the real ones. CPU_TIME is
 * the run time that the scheduler of the kernel counts for the threads of the process and keeps of
 * ended threads, in picoseconds; UINT64_MAX stands for 213 days and more. Where the kernel has no
 * run time, CPU_TIME is its user time and system time. At most THREADS_LIMIT threads of each
 * process count; in a kernel before 3.14 only the first thread.
 *
 * Owns      DOCA_CORE_BYTES_APSH_PROCESSES(n) bytes of the arena for n processes
 * Cost      a batch of up to 8 DMA tasks for each process, one of up to 7 for each thread, and some
 *           others; mostly one or two, for the blocks of 16 KiB that are not in the cache. At most
 *           DOCA_CORE_APSH_TRIES times DOCA_CORE_APSH_LIST_READS(PROCESS_LIMIT + THREADS_LIMIT)
 *           tasks
 * Errors    INVALID_VALUE   an argument is NULL
 *           INITIALIZATION  the system is not started; the list, or the threads of a process,
 *                           changed or were damaged each of DOCA_CORE_APSH_TRIES times that they
 *                           were read; or one attempt needs more tasks than its share of the bound
 *           IO_FAILED       the memory of the target cannot be read
 *           NO_MEMORY       the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_apsh_processes_get(struct doca_apsh_system *system,
                                                    struct doca_apsh_process ***processes,
                                                    int *processes_size);
DOCA_CORE_DECL void doca_apsh_processes_free(struct doca_apsh_process **processes);

/* List the modules of the target's kernel, also modules that are being loaded or removed. OFFSET is
 * the address of the kernel's structure. SIZE is the sum of all parts of the module, including the
 * parts that only its start needs; at most UINT32_MAX. A module that removed itself from the
 * kernel's list is not found.
 *
 * Owns      DOCA_CORE_BYTES_APSH_MODULES(n) bytes of the arena for n modules
 * Cost      a batch of up to 3 DMA tasks for each module, and some for page tables. At most
 *           DOCA_CORE_APSH_TRIES times DOCA_CORE_APSH_LIST_READS(MODULES_LIMIT) tasks
 * Errors    INVALID_VALUE   an argument is NULL
 *           INITIALIZATION  the system is not started; the kernel has no modules, or its type
 *                           information lacks a member; the list changed or was damaged each of
 *                           DOCA_CORE_APSH_TRIES times that it was read; or one attempt needs more
 *                           tasks than its share of the bound
 *           IO_FAILED       the memory of the target cannot be read
 *           NO_MEMORY       the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_apsh_modules_get(struct doca_apsh_system *system,
                                                  struct doca_apsh_module ***modules,
                                                  int *modules_size);
DOCA_CORE_DECL void doca_apsh_module_free(struct doca_apsh_module **modules);

/* List the threads of a process, including the first. STATE is the state word of the kernel, which
 * is 0 for a thread that runs or is ready. LINUX_PROC_NAME is the name in the list of processes.
 *
 * Owns      DOCA_CORE_BYTES_APSH_THREADS(n) bytes of the arena for n threads
 * Cost      a batch of up to 7 DMA tasks for each thread, and some others. At most
 *           DOCA_CORE_APSH_TRIES times DOCA_CORE_APSH_LIST_READS(THREADS_LIMIT) tasks
 * Errors    INVALID_VALUE   an argument is NULL, or `process` is not of a list
 *           INITIALIZATION  the system is not started, or is destroyed; the process has ended; the
 *                           type information of the kernel lacks a member; the list changed or was
 *                           damaged each of DOCA_CORE_APSH_TRIES times that it was read; or one
 *                           attempt needs more tasks than its share of the bound
 *           IO_FAILED       the memory of the target cannot be read
 *           NO_MEMORY       the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_apsh_threads_get(struct doca_apsh_process *process,
                                                  struct doca_apsh_thread ***threads,
                                                  int *threads_size);
DOCA_CORE_DECL void doca_apsh_threads_free(struct doca_apsh_thread **threads);

/* List the memory areas of a process, in the order of their addresses; none for a thread of the
 * kernel and for a process that is ending. PROTECTION has the four letters of /proc/PID/maps, with
 * `s` for an area that may be shared. OFFSET is the address of the kernel's structure. PROCESS_NAME
 * is the name in the list of processes.
 *
 * FILE_PATH is empty for an area without a file; the names [heap], [stack] and [vdso] of
 * /proc/PID/maps are no files. The path begins at the root of the mounts that the file is in, also
 * for a process with another root directory. A file in no directory, such as that of memfd, has a
 * slash and its name. That a file is deleted is not said. A file of an overlay may have the path of
 * its layer. A path that is too long, by STRING_LIMIT or because it has 4096 bytes, loses its
 * beginning.
 *
 * Owns      DOCA_CORE_BYTES_APSH_VADS(n, path_bytes) bytes of the arena for n areas
 * Cost      a DMA task for each block of 16 KiB with nodes, areas, files or directory entries that
 *           is not in the cache; what the slots of a node point to is one batch. At most
 *           DOCA_CORE_APSH_TRIES times DOCA_CORE_APSH_LIST_READS(VADS_LIMIT) tasks
 * Errors    INVALID_VALUE   an argument is NULL, or `process` is not of a list
 *           INITIALIZATION  the system is not started, or is destroyed; the process has ended; the
 *                           type information of the kernel lacks a member; the list or a path
 *                           changed or was damaged each of DOCA_CORE_APSH_TRIES times that it was
 *                           read; or one attempt needs more tasks than its share of the bound
 *           IO_FAILED       the memory of the target cannot be read
 *           NO_MEMORY       the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_apsh_vads_get(struct doca_apsh_process *process,
                                               struct doca_apsh_vad ***vads, int *vads_size);
DOCA_CORE_DECL void doca_apsh_vads_free(struct doca_apsh_vad **vads);

/* List the libraries of a process, in the order of their addresses: all files with an executable
 * area among the first VADS_LIMIT areas of the process, including the file of the program. Areas of
 * one file that follow each other form a row; LOAD_ADRESS is the beginning of the file's first row
 * with an executable area. Paths are as in the list of areas. A file that was opened twice is
 * listed once. A library that is mapped without a file, such as [vdso], is not listed.
 *
 * Owns      DOCA_CORE_BYTES_APSH_LIBS(n, path_bytes) bytes of the arena for n libraries, and more
 *           while the call runs
 * Cost      that of the list of areas, twice, from the cache where it has room. At most
 *           DOCA_CORE_APSH_TRIES times DOCA_CORE_APSH_LIST_READS(LIBS_LIMIT + VADS_LIMIT) tasks
 * Errors    those of the list of areas */
DOCA_CORE_DECL doca_error_t doca_apsh_libs_get(struct doca_apsh_process *process,
                                               struct doca_apsh_lib ***libs, int *libs_size);
DOCA_CORE_DECL void doca_apsh_libs_free(struct doca_apsh_lib **libs);

/* List the environment of a process, in the order of its memory: the strings NAME=VALUE that the
 * process got when it executed its file, as in /proc/PID/environ; none for a thread of the kernel.
 * A variable that the process sets later is elsewhere in its memory and is not listed. A process
 * can overwrite these strings, and can tell the kernel that they are elsewhere.
 *
 * VARIABLE is what is before the first `=`, and VALUE what is behind it. A string without `=` is a
 * name with an empty value, and empty strings are left out. STRING_LIMIT cuts off the end of a
 * name or value that is too long. Pages of the strings may be in swap. A string that has a byte in
 * such a page is left out, and so is the first string after the page. At most the first 6 MiB of
 * the strings, and WINDOWS_ENVARS_LIMIT variables, are read.
 *
 * Owns      DOCA_CORE_BYTES_APSH_ENVARS(n, text_bytes) bytes of the arena for n variables
 * Cost      a DMA task for each page of the environment, and some for page tables. At most
 *           DOCA_CORE_APSH_TRIES times DOCA_CORE_APSH_LIST_READS(WINDOWS_ENVARS_LIMIT) tasks
 * Errors    INVALID_VALUE   an argument is NULL, or `process` is not of a list
 *           INITIALIZATION  the system is not started, or is destroyed; the process has ended; the
 *                           type information of the kernel lacks a member; the environment changed
 *                           or was damaged each of DOCA_CORE_APSH_TRIES times that it was read; or
 *                           one attempt needs more tasks than its share of the bound
 *           IO_FAILED       the memory of the target cannot be read
 *           NO_MEMORY       the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_apsh_envars_get(struct doca_apsh_process *process,
                                                 struct doca_apsh_envar ***envars,
                                                 int *envars_size);
DOCA_CORE_DECL void doca_apsh_envars_free(struct doca_apsh_envar **envars);

/* Compare the pages of each executable area of a process with the file that the area maps. The zip
 * file at `exec_hash_map_path` has copies of these files, as the vendor's tool makes it: each copy
 * has the name of its file without folders. The member `vdso` is a copy of the kernel's area
 * [vdso], and is used when the kernel's types tell where that area is. Other members are ignored,
 * including the list of mappings that are no files. The first VADS_LIMIT areas of the process are
 * searched for executable ones that map a file or are the vdso, up to HASHTEST_LIMIT of them. Paths
 * are as in the list of areas.
 *
 * PAGES_NUMBER is the length of the area in pages. PAGES_PRESENT counts those that the page tables
 * of the process map, and MATCHING_HASHES those among them that equal their page of the copy: an
 * area is sound when both are the same. The end of the last page of a copy counts as zeros, and a
 * page behind the end of the copy matches nothing. HASH_DATA_IS_PRESENT tells whether the zip file
 * has a member with the name of the file. When several members have this name, the member with the
 * most matching pages counts. Where two files of one name are in different folders and the zip file
 * has a copy of one of them, the pages of the other do not match.
 *
 * Tasks of a SHA context on the DMA device compute the SHA-256 digests of both pages, and the
 * digests are compared. When the device has no hash engine, the bytes of the pages are compared.
 *
 * The members of the zip file are stored or deflated, and follow each other in the order of its
 * directory. These files are refused: a file in the format zip64, a file with an encrypted member,
 * with members that overlap, or with a used member whose length or checksum differs from the
 * directory. Members that are not used are not unpacked.
 *
 *   exec_hash_map_path  the path; the list has a copy
 *
 * Owns      DOCA_CORE_BYTES_APSH_ATTESTATIONS(n, path_bytes) bytes of the arena for n areas, and
 *           DOCA_CORE_BYTES_APSH_COMPARISON more while the call runs
 * Cost      that of the list of areas; then, for each area, its file is unpacked once to its end,
 *           and each present page is read by a DMA task and hashed twice. At most
 *           DOCA_CORE_APSH_FILE_BYTES are read of the zip file and DOCA_CORE_APSH_UNPACK_BYTES
 *           unpacked; at most DOCA_CORE_APSH_LIST_READS(HASHTEST_LIMIT) tasks read pages
 * Errors    INVALID_VALUE   an argument is NULL, or `process` is not of a list
 *           INITIALIZATION  the system is not started, or is destroyed; the zip file cannot be read
 *                           or is refused; the process has ended, also while it is compared; the
 *                           type information of the kernel lacks a member; the list or a path
 *                           changed or was damaged each of DOCA_CORE_APSH_TRIES times that it was
 *                           read; the process got another address space while it was compared; or
 *                           the call needs more tasks than its bound
 *           IO_FAILED       the memory of the target cannot be read, or the device cannot hash
 *           NO_MEMORY       the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_apsh_attestation_get(struct doca_apsh_process *process,
                                                      const char *exec_hash_map_path,
                                                      struct doca_apsh_attestation ***attestation,
                                                      int *attestation_size);

/* Make an attestation of the same process again. The zip file at the same path is read again. The
 * new list replaces the old one: its array, elements and strings end, and both outputs are set.
 * After an error the old list is as it was. The list of processes may have been freed. An
 * attestation without areas is NULL and cannot be refreshed.
 *
 *   attestation  in and out: the array of doca_apsh_attestation_get()
 *
 * Owns      what doca_apsh_attestation_get() does; the old list is given back when the new one is
 *           complete
 * Errors    INVALID_VALUE  an argument or the array is NULL, or the array is no attestation
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
 *   REFLECTIVE_DLL_INJECTION  Reflective_Dll_Injection: "ReflectiveLoader", which the widely used
 *                             library for such injections exports. A loader with another name is
 *                             not found. Such a library runs on Windows; on Linux it is data, or
 *                             runs in an emulator
 *   MIMIKATZ                  Mimikatz: "gentilkiwi", "sekurlsa::", "lsadump::" or
 *                             "privilege::debug"; or "mimikatz" with "sekurlsa" or "kuhl_m_". Upper
 *                             and lower case of letters are the same, except in "kuhl_m_"
 * The first and the third also look for their strings in UTF-16. A match is a reason to look
 * closer, not a proof: a text about the tool matches as well, and so does a program with such
 * rules. Encrypted, packed or renamed builds do not match.
 *
 * A window of doca_apsh_sys_set_scan_window_size() bytes moves through each area by
 * doca_apsh_sys_set_scan_window_step() bytes, from the beginning of the area until the window
 * contains its end. The rules see nothing but the window: with windows that do not overlap, a
 * string that crosses the end of a window is not found. Pages that are not in the memory of the
 * target, such as those in swap, are zeros in the window; a window without any other page is left
 * out. MATCH_WINDOW_LEN is less than the window's size at the end of an area. COMM is the name in
 * the list of processes. The list has the matches in the order of their addresses, and for one
 * window in the order of the enumerators.
 *
 *   yara_rules_arr       pointers to the rules, each of which may occur several times
 *   yara_rules_arr_size  rules, at least 1
 *   scan_type            mask. DOCA_APSH_YARA_SCAN_VMA: all areas. DOCA_APSH_YARA_SCAN_HEAP:
 *                        writable areas without a file, which are the heap, private blocks of
 *                        mmap() and stacks. With both, all areas. The first VADS_LIMIT areas of the
 *                        process are looked at
 *
 * Owns      DOCA_CORE_BYTES_APSH_MATCHES(n) bytes of the arena for n matches, and
 *           DOCA_CORE_BYTES_APSH_SCAN(n, num_areas, window_bytes) more while the call runs
 * Threads   a mutex is held while libyara is initialized. A program that uses libyara itself
 *           initializes it before its first scan and finalizes it after its last one
 * Cost      that of the list of areas; then a DMA task for each page in memory, and a scan of each
 *           window. At most DOCA_CORE_APSH_SCAN_BYTES are scanned, and DOCA_CORE_APSH_SCAN_READS
 *           tasks read pages
 * Errors    NOT_SUPPORTED   the implementation is compiled without DOCA_CORE_APSH_YARA
 *           INVALID_VALUE   an argument or a pointer to a rule is NULL, `process` is not of a list,
 *                           there is no rule, or a rule or the mask has an unknown value
 *           INITIALIZATION  the system is not started, or is destroyed; the process has ended, also
 *                           while it is scanned; the type information of the kernel lacks a member;
 *                           the list of areas changed or was damaged each of DOCA_CORE_APSH_TRIES
 *                           times that it was read; the process got another address space while it
 *                           was scanned; the call needs more tasks, or scans more bytes, than its
 *                           bound; or libyara failed
 *           IO_FAILED       the memory of the target cannot be read
 *           NO_MEMORY       the arena is exhausted, or the heap, for libyara */
DOCA_CORE_DECL doca_error_t doca_apsh_yara_get(struct doca_apsh_process *process,
                                               enum doca_apsh_yara_rule **yara_rules_arr,
                                               uint32_t yara_rules_arr_size, uint64_t scan_type,
                                               struct doca_apsh_yara ***yara_matches,
                                               int *yara_matches_size);
DOCA_CORE_DECL void doca_apsh_yara_free(struct doca_apsh_yara **yara_matches);

#endif
